// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { job } from '@/api/testing';
import type { Job } from '@/api/types';
import { open } from './app';

const list = (...items: Job[]) => ({ body: { items, next_cursor: null, total: null } });
const NO_METRICS = { body: { attempt: 1, points: [], total: 0, last_event_id: 1 } };
const NO_LOGS = { body: { items: [], dropped: 0, next_after_id: 1, more: false } };

function jobAnswers(one: Job) {
  return {
    'GET /api/v1/jobs/job_1': { body: one },
    'GET /api/v1/jobs/job_1/metrics': NO_METRICS,
    'GET /api/v1/jobs/job_1/logs': NO_LOGS,
  };
}

describe('the list of jobs', () => {
  it('says what a job is when there is none', async () => {
    open('/jobs');
    expect(await screen.findByText('No jobs yet')).toBeTruthy();
  });

  it('D7: shows where each job stands and offers only what the server allows', async () => {
    const running = job({
      id: 'job_2',
      name: 'running one',
      state: 'running',
      actions: ['cancel'],
      progress: { done: 3, total: 10, unit: 'epochs', eta_s: null },
    });
    open('/jobs', { 'GET /api/v1/jobs': list(job({ name: 'waiting one' }), running) });
    const row = (await screen.findAllByRole('row')).find((r) => r.textContent?.includes('running one'))!;
    expect(row.textContent).toContain('3 / 10 epochs · estimating');
    expect(within(row).getByRole('button', { name: 'Cancel' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Cancel' })).toHaveLength(1);
  });

  it('sends its filters to the server', async () => {
    const { requests } = open('/jobs?state=failed&kind=toy');
    await screen.findByText('No job matches');
    const asked = requests
      .filter((request) => request.url.includes('/api/v1/jobs?'))
      .map((r) => new URL(r.url));
    expect(asked[0]?.searchParams.get('state')).toBe('failed');
    expect(asked[0]?.searchParams.get('kind')).toBe('toy');
  });

  it('says what failed and offers to try again', async () => {
    const body = {
      title: 'Database away',
      detail: 'The database does not answer.',
      request_id: 'req_7',
      status: 503,
    };
    open('/jobs', { 'GET /api/v1/jobs': { status: 503, body } });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Database away');
    expect(alert.textContent).toContain('req_7');
  });
});

describe('the page of a job', () => {
  it('puts the reason of a failure first', async () => {
    open(
      '/jobs/job_1',
      jobAnswers(job({ state: 'failed', state_reason: 'features.csv, row 7\nmore lines' })),
    );
    expect((await screen.findByRole('alert')).textContent).toContain('features.csv, row 7');
  });

  it('says what a queued job waits for', async () => {
    const queue = {
      device: 'cpu',
      queued: 2,
      running: 1,
      slots: 1,
      busy: 1,
      workers: 1,
      oldest_queued_at: null,
    };
    open('/jobs/job_1', {
      ...jobAnswers(job()),
      'GET /api/v1/queue': { body: { items: [{ ...queue, next_jobs: ['job_0', 'job_1'] }] } },
    });
    expect(await screen.findByText('All 1 CPU slots are busy. 1 job is before it.')).toBeTruthy();
  });

  it('moves with its events', async () => {
    const running = job({ state: 'running', last_event_id: 5 });
    const { send } = open('/jobs/job_1', jobAnswers(running));
    await screen.findByText('Running');
    const body = { done: 4, total: 8, unit: 'epochs', eta_s: 3 };
    act(() => send('job:job_1', { id: 6, type: 'job.progress', jobId: 'job_1', body }));
    expect(await screen.findByText('3.0 s left')).toBeTruthy();
  });

  it('opens the tab its address names', async () => {
    open('/jobs/job_1?tab=artifacts', {
      ...jobAnswers(job({ state: 'succeeded' })),
      'GET /api/v1/jobs/job_1/artifacts': { body: { items: [] } },
    });
    expect(await screen.findByText('The job left no files')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Artifacts' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBeNull();
  });

  it('D7: has only the buttons the server allows, also after they change', async () => {
    let now = job({ state: 'running', actions: ['cancel'], last_event_id: 5 });
    const { send } = open('/jobs/job_1', {
      ...jobAnswers(now),
      'GET /api/v1/jobs/job_1': () => Response.json(now),
    });
    expect((await screen.findAllByRole('button', { name: 'Cancel' })).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    now = job({ state: 'failed', actions: ['retry', 'delete'], last_event_id: 6 });
    const body = { state: 'failed', reason: '', attempt: 1, worker: null };
    act(() => send('job:job_1', { id: 6, type: 'job.status', jobId: 'job_1', body }));
    expect((await screen.findAllByRole('button', { name: 'Retry' })).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });

  it('D8: has its log while it waits, and says “none yet” until the end marker', async () => {
    const { send } = open('/jobs/job_1?tab=logs', jobAnswers(job({ state: 'queued' })));
    expect(await screen.findByText('No line yet.')).toBeTruthy();
    const status = { state: 'succeeded', reason: '', attempt: 1, worker: null };
    act(() => send('job:job_1', { id: 7, type: 'job.status', jobId: 'job_1', body: status }));
    expect(await screen.findByText('The job wrote no line.')).toBeTruthy();
  });

  it('D2 and D9: says how many points of how many it shows', async () => {
    const point = (step: number) => ({ step, at: '', values: { loss: 1 / step } });
    open('/jobs/job_1?tab=metrics', {
      ...jobAnswers(job({ state: 'succeeded' })),
      'GET /api/v1/jobs/job_1/metrics': {
        body: { attempt: 1, points: [point(1), point(9000)], total: 10_000, last_event_id: 1 },
      },
    });
    expect((await screen.findByText(/Showing 2 of 10,000 points/)).closest('[role=status]')).toBeTruthy();
  });

  it('D2: says how many points of how many it shows while the rest is on its way', async () => {
    const point = (step: number) => ({ step, at: '', values: { loss: 1 / step } });
    let release = (_: Response) => {};
    const rest = new Promise<Response>((resolve) => {
      release = resolve;
    });
    const answer = (points: unknown[]) => ({ attempt: 1, points, total: 3, last_event_id: 1 });
    open('/jobs/job_1?tab=metrics', {
      ...jobAnswers(job({ state: 'succeeded' })),
      'GET /api/v1/jobs/job_1/metrics': (request) =>
        request.url.includes('max_points=400') ? Response.json(answer([point(1), point(3)])) : rest,
    });
    expect(await screen.findByText(/2 of 3 points so far/)).toBeTruthy();
    release(Response.json(answer([point(1), point(2), point(3)])));
    await waitFor(() => expect(screen.queryByText(/points so far/)).toBeNull());
    expect(screen.queryByText(/Showing/)).toBeNull();
  });

  it('D9: says how many lines of its log are not there, and why', async () => {
    const line = {
      event_id: 1,
      index: 0,
      at: '2026-01-01T00:00:00Z',
      attempt: 1,
      level: 'info',
      text: 'kept',
    };
    open('/jobs/job_1?tab=logs', {
      ...jobAnswers(job({ state: 'succeeded' })),
      'GET /api/v1/jobs/job_1/logs': {
        body: { items: [line], dropped: 1234, next_after_id: 1, more: false },
      },
    });
    expect(await screen.findByText(/1,234 lines came too fast to be stored/)).toBeTruthy();
  });

  it('says when there is no such job', async () => {
    open('/jobs/job_404');
    expect((await screen.findByRole('alert')).textContent).toContain('There is nothing here.');
  });
});

describe('a new job', () => {
  const toy = {
    kind: 'toy',
    title: 'Toy',
    description: 'Plays.',
    devices: ['cpu'],
    spec_schema: {
      type: 'object',
      required: ['steps'],
      properties: {
        kind: { const: 'toy' },
        steps: { type: 'integer', minimum: 1, description: 'How many.' },
      },
    },
    result_schema: {},
  };
  const systems = { 'GET /api/v1/systems': { body: { items: [toy] } } };

  it('is started from a form its schema makes, once however often Start is pressed', async () => {
    const { requests, router } = open('/jobs/new?kind=toy', {
      ...systems,
      ...jobAnswers(job()),
      'POST /api/v1/jobs': { status: 201, body: job() },
    });
    const user = userEvent.setup();
    await user.type(await screen.findByRole('textbox', { name: /Steps/ }), '4');
    await user.dblClick(screen.getByRole('button', { name: 'Start' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/jobs/job_1'));
    const posted = requests.filter((request) => request.method === 'POST');
    expect(new Set(posted.map((request) => request.headers.get('Idempotency-Key'))).size).toBe(1);
    expect(await posted[0]!.json()).toEqual({ spec: { kind: 'toy', steps: 4 } });
  });

  it('shows at the field what the server refused', async () => {
    const errors = [{ pointer: '/spec/steps', code: 'odd', message: 'Only even numbers.', hint: 'Take 2.' }];
    open('/jobs/new?kind=toy', {
      ...systems,
      'POST /api/v1/jobs': { status: 422, body: { title: 'No', detail: 'Wrong.', status: 422, errors } },
    });
    const user = userEvent.setup();
    await user.type(await screen.findByRole('textbox', { name: /Steps/ }), '3');
    await user.click(screen.getByRole('button', { name: 'Start' }));
    expect(await screen.findByText('Only even numbers. Take 2.')).toBeTruthy();
  });

  it('lists every kind the server knows', async () => {
    open('/jobs/new', systems);
    expect(await screen.findByRole('link', { name: /Toy/ })).toBeTruthy();
  });
});
