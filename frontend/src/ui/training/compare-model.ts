import type { Schemas } from '@/api/types';
import type { SeriesLook } from '@/ui/charts/series-plot';

export type Comparison = Schemas['Comparison'];
export type ComparedRun = Schemas['ComparedRun'];
export type SystemName = ComparedRun['system'];

/** How each system is drawn, always the same: colour and dash, so that it is told apart without colour too. */
export const SYSTEMS: Record<SystemName, { label: string; color: string; dash?: boolean }> = {
  asterism: { label: 'Asterism', color: '--c1' },
  passes_off: { label: 'passes off', color: '--c5', dash: true },
  dgl: { label: 'DGL', color: '--c2' },
  pyg: { label: 'PyG', color: '--c3', dash: true },
};

export type Measure = 'train_loss' | 'val_loss' | 'val_accuracy';

/** The runs that have figures. */
export function measured(comparison: Comparison): ComparedRun[] {
  return comparison.runs.filter((run) => run.figures !== null);
}

/** Points of one measure for a chart over seconds: one series a system. */
export function curvePoints(
  comparison: Comparison,
  measure: Measure,
): { step: number; values: Record<string, number | null> }[] {
  return measured(comparison).flatMap(({ system, figures }) =>
    figures!.curve.seconds.map((step, i) => ({
      step,
      values: { [system]: figures!.curve[measure][i] ?? null },
    })),
  );
}

export function looks(comparison: Comparison): SeriesLook[] {
  return measured(comparison).map(({ system }) => ({ key: system, ...SYSTEMS[system] }));
}

/** How many times Asterism's figure a run's is; null where either is missing. */
export function ratioTo(
  comparison: Comparison,
  run: ComparedRun,
  figure: (figures: NonNullable<ComparedRun['figures']>) => number,
): number | null {
  const ours = comparison.runs.find((r) => r.system === 'asterism')?.figures;
  if (!ours || !run.figures) return null;
  const base = figure(ours);
  return base > 0 ? figure(run.figures) / base : null;
}

export const COLUMNS = [
  'system',
  'version',
  'setup_s',
  'first_epoch_s',
  'epoch_s',
  'epochs_per_s',
  'edges_per_s',
  'peak_memory_bytes',
  'test_accuracy',
  'difference',
  'note',
] as const;

/** The table as CSV rows, in the order of `COLUMNS`. */
export function tableRows(comparison: Comparison): (string | number | null)[][] {
  return comparison.runs.map((run) => {
    const f = run.figures;
    const figures = f
      ? [f.setup_s, f.first_epoch_s, f.epoch_s, f.epochs_per_s, f.edges_per_s, f.peak_memory_bytes]
      : [null, null, null, null, null, null];
    return [run.system, run.version, ...figures, f?.test_accuracy ?? null, f?.difference ?? null, run.note];
  });
}

/** By peer and layer: the name there, and the settings it knows. */
export type Counterparts = Record<
  string,
  Record<string, { name: string; undirected: boolean; only: Record<string, unknown[]> }>
>;

interface NodeLike {
  id: string;
  type: string;
  params?: Record<string, unknown>;
}

/** Nodes of a model that a peer has no layer for, by the table that comes with the job's schema. */
export function lacking(
  counterparts: Counterparts,
  peer: string,
  nodes: readonly NodeLike[],
  directed: boolean,
): string[] {
  const known = counterparts[peer];
  if (!known) return [];
  const fits = (node: NodeLike) => {
    const found = known[node.type];
    if (!found || (found.undirected && directed)) return false;
    return Object.entries(found.only).every(
      ([name, allowed]) => node.params?.[name] === undefined || allowed.includes(node.params[name]),
    );
  };
  return nodes.filter((node) => !fits(node)).map((node) => node.id);
}
