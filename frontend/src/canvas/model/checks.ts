/** What the server found in the document, looked up by node and port. */
import type { DocNode, ModelDoc, Wire } from './document';
import { canonicalJson, portKey, wireNumber } from './document';
import type { ValueType } from './value-types';

export interface Problem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly node_id: string | null;
  readonly port: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: string;
}

export interface Checks {
  readonly problems: readonly Problem[];
  readonly types: ReadonlyMap<string, ValueType>;
  /** Numbers to train; null while a size is unknown or an error stands. */
  readonly parameters: number | null;
  /** No answer for the newest document yet. */
  readonly stale: boolean;
  /** Why there is no answer, where the server cannot be reached. */
  readonly unreachable: string | null;
}

export const NO_CHECKS: Checks = {
  problems: [],
  types: new Map(),
  parameters: null,
  stale: true,
  unreachable: null,
};

interface ProblemIndex {
  readonly byNode: ReadonlyMap<string, Problem[]>;
  readonly byPointer: ReadonlyMap<string, Problem>;
}

const indices = new WeakMap<readonly Problem[], ProblemIndex>();
const NO_PROBLEMS: readonly Problem[] = [];

function indexOf(checks: Checks): ProblemIndex {
  const known = indices.get(checks.problems);
  if (known) return known;
  const byNode = new Map<string, Problem[]>();
  const byPointer = new Map<string, Problem>();
  for (const problem of checks.problems) {
    if (!byPointer.has(problem.pointer)) byPointer.set(problem.pointer, problem);
    if (problem.node_id !== null)
      byNode.set(problem.node_id, [...(byNode.get(problem.node_id) ?? []), problem]);
  }
  const index = { byNode, byPointer };
  indices.set(checks.problems, index);
  return index;
}

export function problemsOfNode(checks: Checks, id: string): readonly Problem[] {
  return indexOf(checks).byNode.get(id) ?? NO_PROBLEMS;
}

/** The problem that makes a wire red: one that points at it. */
export function problemOfWire(checks: Checks, doc: ModelDoc, wire: Wire): Problem | undefined {
  return indexOf(checks).byPointer.get(`/wires/${wireNumber(doc, wire)}`);
}

export function problemOfParam(checks: Checks, node: DocNode, param: string): Problem | undefined {
  return problemsOfNode(checks, node.id).find((problem) => problem.pointer.endsWith(`/params/${param}`));
}

/** What a new answer found, with every problem that says the same as before still the same object. */
export function keptProblems(before: readonly Problem[], found: readonly Problem[]): readonly Problem[] {
  const known = new Map(before.map((problem) => [canonicalJson(problem), problem]));
  const kept = found.map((problem) => known.get(canonicalJson(problem)) ?? problem);
  return kept.length === before.length && kept.every((problem, i) => problem === before[i]) ? before : kept;
}

/** An answer about the newest document is on its way. */
export function isAsking(checks: Checks): boolean {
  return checks.stale && checks.unreachable === null;
}

export function errorsIn(checks: Checks): number {
  return checks.problems.filter((problem) => problem.severity === 'error').length;
}

/** The type on a wire is that of the port it comes from. */
export function typeOfWire(checks: Checks, wire: Wire): ValueType | undefined {
  return checks.types.get(portKey(wire.source));
}
