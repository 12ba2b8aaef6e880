import { type Field, rank } from '../model/rank';
import type { ProgramOp } from './graph';

/** Words people look for that are not the op's name. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  matmul: ['linear', 'dense', 'project', 'weight', 'fully connected'],
  linear: ['dense', 'affine', 'fully connected'],
  softmax: ['attention', 'edge softmax', 'normalise', 'attend', 'weights'],
  sum: ['aggregate', 'reduce', 'scatter', 'neighbours'],
  mean: ['aggregate', 'average', 'reduce', 'neighbours'],
  max: ['aggregate', 'pool', 'reduce', 'neighbours'],
  min: ['aggregate', 'reduce', 'neighbours'],
  add: ['plus', 'bias', 'residual', 'skip'],
  mul: ['times', 'scale', 'gate', 'product'],
  sub: ['minus', 'difference'],
  div: ['divide', 'quotient'],
  sigmoid: ['gate', 'logistic'],
  concat: ['join', 'cat', 'stack'],
  columns: ['slice', 'split', 'chunk'],
  reshape: ['view', 'heads', 'flatten'],
  dot: ['inner product', 'attention', 'score'],
  normalize: ['unit', 'l2', 'norm'],
  dropout: ['regularise', 'mask'],
};

export function searchOps(ops: readonly ProgramOp[], query: string): readonly ProgramOp[] {
  return rank(ops, fieldsOf, query);
}

function fieldsOf({ op, group, doc }: ProgramOp): Field[] {
  return [
    { text: op, weight: 3 },
    ...(SYNONYMS[op] ?? []).map((text) => ({ text, weight: 2 })),
    { text: group, weight: 1 },
    { text: doc, weight: 1 },
  ];
}
