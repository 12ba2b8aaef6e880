import type { Job } from '@/api/types';
import type { TableData } from '@/ui/export/table-data';
import { communication, meshText, type Plan } from './plans';
import { ranOf } from './types';

/** Exact figures of every plan, and the newest measured time. */
export function plansTable(plans: readonly Plan[], runs: ReadonlyMap<string, readonly Job[]>): TableData {
  const head = [
    'plan',
    'kind',
    'mesh',
    'memory_bytes',
    'step_s',
    'communication',
    'recomputed',
    'measured_s',
  ];
  return {
    head,
    rows: plans.map(({ id, title, onFrontier, costed }) => [
      id,
      onFrontier ? 'frontier' : title,
      meshText(costed.mesh),
      costed.memory_bytes,
      costed.step_s,
      communication(costed),
      costed.recomputed,
      runs
        .get(id)
        ?.map(ranOf)
        .find((ran) => ran !== null)?.step_s,
    ]),
  };
}
