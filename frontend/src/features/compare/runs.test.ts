import { describe, expect, it } from 'vitest';
import {
  awayFrom,
  type Comparison,
  groupsOf,
  idsOf,
  placesIn,
  runsOf,
  said,
  titlesOf,
  writePlaces,
} from './runs';

const one = (id: string, name = id, labels: Record<string, string> = {}) => ({
  id,
  name,
  labels,
  kind: 'toy',
  state: 'succeeded' as const,
  attempt: 1,
  device: 'cpu',
  created_at: '',
  started_at: null,
  finished_at: null,
  last_event_id: 0,
});
const COMPARISON: Comparison = {
  jobs: [one('job_a', 'GCN', { team: 'x' }), one('job_b', 'GCN'), one('job_c', 'GAT')],
  missing: [],
  rows: [{ section: 'setting', path: 'lr', values: [0.1, 0.2, 0.1], differs: true }],
  total_rows: 1,
};
const JOBS = { jobs: 'job_a,job_b,job_c' };

describe('runs beside one another', () => {
  it('D12: keep their looks when the address loses one of them', () => {
    const places = placesIn(JOBS, () => undefined);
    expect(places).toEqual([0, 1, 2]);
    const known = new Map(['job_a', 'job_b', 'job_c'].map((id, i) => [id, places[i]!]));
    expect(placesIn({ jobs: 'job_a,job_c' }, (id) => known.get(id))).toEqual([0, 2]);
    expect(placesIn({ jobs: 'job_a,job_c', looks: '0.2' }, () => undefined)).toEqual([0, 2]);
    expect([writePlaces([0, 1]), writePlaces([0, 2])]).toEqual([undefined, '0.2']);
  });

  it('are filtered by name, id, state and label, the base first', () => {
    const of = (q: string, base?: string) =>
      runsOf(COMPARISON, { ...JOBS, q, base }, [0, 1, 2]).map((run) => run.job.id);
    expect(of('')).toEqual(['job_a', 'job_b', 'job_c']);
    expect(of('', 'job_c')).toEqual(['job_c', 'job_a', 'job_b']);
    expect([of('gat'), of('team=x'), of('JOB_B')]).toEqual([['job_c'], ['job_a'], ['job_b']]);
  });

  it('are told apart by their ids where names repeat', () => {
    const titles = titlesOf(runsOf(COMPARISON, JOBS, [0, 1, 2]));
    expect([...titles.values()]).toEqual(['GCN · ob_a', 'GCN · ob_b', 'GAT']);
  });

  it('are grouped by a setting', () => {
    const groups = groupsOf(runsOf(COMPARISON, JOBS, [0, 1, 2]), COMPARISON.rows[0]);
    expect([...groups].map(([key, runs]) => [key, runs.length])).toEqual([
      ['0.1', 2],
      ['0.2', 1],
    ]);
  });

  it('are at most a hundred, each once', () => {
    expect(idsOf(`a,a,,b,${Array.from({ length: 200 }, (_, i) => i).join(',')}`)).toHaveLength(100);
  });

  it('say how far a value is from the base', () => {
    expect([awayFrom(1.1, 1), awayFrom(0.5, 1), awayFrom(1, 1), awayFrom('a', 1), awayFrom(1, 0)]).toEqual([
      '+10 %',
      '−50 %',
      '',
      '',
      '',
    ]);
    expect([said(null), said(true), said(0.30000000000000004)]).toEqual(['–', 'true', '0.3']);
  });
});
