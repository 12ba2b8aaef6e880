import Fuse from 'fuse.js';
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

export function opIndex(ops: readonly ProgramOp[]): Fuse<{ op: ProgramOp; words: readonly string[] }> {
  const entries = ops.map((op) => ({ op, words: SYNONYMS[op.op] ?? [] }));
  return new Fuse(entries, {
    keys: [
      { name: 'op.op', weight: 3 },
      { name: 'words', weight: 2 },
      { name: 'op.group', weight: 1 },
      { name: 'op.doc', weight: 1 },
    ],
    threshold: 0.34,
    ignoreLocation: true,
  });
}
