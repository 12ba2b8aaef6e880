import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem } from '@/api/problem';
import { SystemPagesContext } from '@/ui/system-page';
import { ThemeProvider } from '@/ui/theme';
import { systemPages } from './systems';

/** A refused request stays refused: only a server that does not answer is asked again. */
function retry(count: number, error: unknown): boolean {
  return error instanceof ApiProblem ? error.status === 0 && count < 5 : count < 1;
}

export function buildQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry, staleTime: 5_000, refetchOnWindowFocus: false } },
  });
}

export function Providers({ children, queries }: { children: ReactNode; queries: QueryClient }) {
  return (
    <ThemeProvider>
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" limit={4} />
        <SystemPagesContext value={systemPages}>{children}</SystemPagesContext>
      </QueryClientProvider>
    </ThemeProvider>
  );
}
