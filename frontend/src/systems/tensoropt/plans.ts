import type { Costed, Frontier } from './types';

/** A strategy as the page shows it. */
export interface Plan {
  /** The name of its artifact without folder and ending: `8-05`, `8-known-0`. It stands in the address. */
  readonly id: string;
  /** "5" on the frontier, and the name of one that people know. */
  readonly title: string;
  readonly onFrontier: boolean;
  readonly costed: Costed;
}

export function planId(artifact: string): string {
  return artifact.replace(/^.*\//, '').replace(/\.json$/, '');
}

/** Number of devices that a plan's id begins with; NaN for none. */
export function devicesOf(id: string | undefined): number {
  return Number.parseInt(id ?? '', 10);
}

/** Every strategy of a frontier and those known by name, by memory. */
export function plansOf({ points, known }: Frontier): Plan[] {
  const found = points.map((costed, i) => plan(costed, String(i + 1), true));
  const named = known.map((costed) => plan(costed, sayName(costed.name), false));
  return [...found, ...named].sort((a, b) => a.costed.memory_bytes - b.costed.memory_bytes);
}

function plan(costed: Costed, title: string, onFrontier: boolean): Plan {
  return { id: planId(costed.artifact), title, onFrontier, costed };
}

function sayName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function fits({ costed }: Plan, cap: number): boolean {
  return costed.memory_bytes <= cap;
}

/** The fastest strategy that fits, or null where none does. */
export function bestUnder(plans: readonly Plan[], cap: number): Plan | null {
  const fitting = plans.filter((one) => fits(one, cap));
  return fitting.reduce<Plan | null>(
    (best, one) => (best === null || one.costed.step_s < best.costed.step_s ? one : best),
    null,
  );
}

const COMPUTING: ReadonlySet<string> = new Set(['forward', 'backward', 'optimizer', 'copies']);

/** Share of a step that is spent in collectives. */
export function communication({ time, step_s }: Costed): number {
  const moved = Object.entries(time).reduce(
    (sum, [cause, spent]) => sum + (COMPUTING.has(cause) ? 0 : spent),
    0,
  );
  return step_s > 0 ? moved / step_s : 0;
}

/** "2 × 4", one number for a mesh of one dimension. */
export function meshText(mesh: readonly number[]): string {
  return mesh.join(' × ');
}
