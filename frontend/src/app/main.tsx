import '@/ui/mantine-styles';
import '@/ui/tokens.css';
import '@/ui/fonts.css';
import '@/ui/base.css';
import '@/ui/controls.css';
import './shell.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { buildQueryClient, Providers } from './providers';
import { buildRouter } from './router';

const queries = buildQueryClient();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers queries={queries}>
      <RouterProvider router={buildRouter(queries)} />
    </Providers>
  </StrictMode>,
);
