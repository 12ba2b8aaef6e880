import '@/ui/mantine-styles';
import '@/ui/tokens.css';
import '@/ui/fonts.css';
import '@/ui/base.css';
import '@/ui/controls.css';
import './shell.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './providers';
import { buildRouter } from './router';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={buildRouter()} />
    </Providers>
  </StrictMode>,
);
