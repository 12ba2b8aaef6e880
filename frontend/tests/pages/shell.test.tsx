// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { open } from './app';

describe('the shell', () => {
  it('leads to every page that says where it stands, and names the page', async () => {
    open('/cluster');
    const rail = await screen.findByRole('link', { name: 'Cluster' });
    expect(rail.getAttribute('aria-current')).toBe('page');
    expect(document.title).toBe('Cluster · Asterism');
  });

  it('says when there is no page', async () => {
    open('/nothing');
    expect(await screen.findByText('There is no page at this address')).toBeTruthy();
  });

  it('switches the theme and remembers it', async () => {
    open('/cluster');
    const before = document.documentElement.dataset.theme;
    await userEvent.click(await screen.findByRole('button', { name: /Switch to the/ }));
    expect(document.documentElement.dataset.theme).not.toBe(before);
    expect(localStorage.getItem('asterism.theme')).toBe(document.documentElement.dataset.theme);
  });

  it('shows slots and queue', async () => {
    const queue = {
      device: 'cpu',
      queued: 3,
      running: 1,
      slots: 4,
      busy: 1,
      workers: 1,
      oldest_queued_at: null,
    };
    open('/cluster', { 'GET /api/v1/queue': { body: { items: [{ ...queue, next_jobs: [] }] } } });
    expect((await screen.findByTitle(/job slots by device/)).textContent).toBe('CPU 3/4 freeQueue 3');
  });
});
