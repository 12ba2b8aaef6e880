import '../setup';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ServerEvent } from '@/api/event-hub';
import { setChannel } from '@/api/events';
import { answer } from '@/api/testing';
import { buildQueryClient, Providers } from '@/app/providers';
import { buildRouter } from '@/app/router';

type Answers = Parameters<typeof answer>[0];

const EMPTY: Answers = {
  'GET /api/v1/queue': { body: { items: [] } },
  'GET /api/v1/workers': { body: { items: [] } },
  'GET /api/v1/systems': { body: { items: [] } },
  'GET /api/v1/templates': { body: { items: [] } },
  'GET /api/v1/layers': { body: { items: [] } },
  'GET /api/v1/models': { body: { items: [], next_cursor: null } },
  'GET /api/v1/jobs': { body: { items: [], next_cursor: null, total: null } },
  'GET /api/v1/health': { body: { status: 'ok', version: '0', components: [] } },
};

/** The whole app at an address, against answers given by the test; `send` plays the server's events. */
export function open(path: string, answers: Answers = {}) {
  const requests = answer({ ...EMPTY, ...answers });
  const listeners = new Set<{ topic: string; deliver: (event: ServerEvent) => void }>();
  setChannel({
    subscribe: (topic, _cursor, deliver) => {
      const listener = { topic, deliver };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const queries = buildQueryClient();
  const router = buildRouter(queries, createMemoryHistory({ initialEntries: [path] }));
  render(
    <Providers queries={queries}>
      <RouterProvider router={router} />
    </Providers>,
  );
  const send = (topic: string, event: Omit<ServerEvent, 'topic' | 'at'>) => {
    for (const one of listeners) if (one.topic === topic) one.deliver({ ...event, topic, at: '' });
  };
  return { requests, router, send };
}
