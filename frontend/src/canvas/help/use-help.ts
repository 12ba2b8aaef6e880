/** What every word of a vertex program and every op of the IR means, read from the server's op table. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { Schemas } from '@/api/types';

export interface WordInfo {
  readonly word: string;
  /** Formula, or meaning. */
  readonly doc: string;
  /** What rows and shapes it takes and gives; empty where it is made of several ops. */
  readonly rule: string;
  readonly example: string;
}

export type Help = ReadonlyMap<string, WordInfo>;

const EMPTY: Help = new Map();

export const helpQuery = queryOptions({
  queryKey: ['ops'],
  queryFn: async (): Promise<Help> => helpFrom(await unwrap(api().GET('/api/v1/ops'))),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Functions of the language before ops of the IR of the same name: people read programs more than IR. */
export function helpFrom({ items, words }: Schemas['OpList']): Help {
  const ops = items.map((op): [string, WordInfo] => [
    op.name,
    { word: op.name, doc: op.doc, rule: op.rule, example: op.example ?? '' },
  ]);
  const own = words.map(({ word, doc, example }): [string, WordInfo] => {
    const rule = items.find((op) => op.name === RULES_OF[word])?.rule ?? '';
    return [word, { word, doc, rule, example }];
  });
  return new Map([...ops, ...own]);
}

/** Functions that follow the rule of one op. */
const RULES_OF: Readonly<Record<string, string>> = {
  silu: 'relu',
  softplus: 'relu',
  gelu: 'relu',
  rsqrt: 'relu',
  normalize: 'relu',
  linear: 'matmul',
  columns: 'slice',
  softmax: 'edge_softmax',
  mean: 'mean_edges',
  var: 'mean_edges',
  std: 'mean_edges',
  sum: 'sum_edges',
  max: 'max_edges',
  min: 'min_edges',
};

/** Operators as the op table calls them. */
const OPERATORS: Readonly<Record<string, string>> = {
  '@': 'matmul',
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '>': 'gt',
  '>=': 'ge',
  '<': 'lt',
  '<=': 'le',
  '==': 'eq',
};

export function helpFor(help: Help, word: string): WordInfo | undefined {
  return help.get(OPERATORS[word.trim()] ?? word);
}

export function useHelp(): Help {
  return useQuery(helpQuery).data ?? EMPTY;
}
