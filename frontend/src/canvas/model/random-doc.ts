/** Random documents for property tests: nested and folded groups, notes, unknown layers. Same seed, same document. */
import { type DocNode, EMPTY_DOC, type Group, type ModelDoc, type Note, type Position } from './document';
import { node, wire } from './fixture';

const TYPES = ['linear', 'attend', 'bend', 'add', 'from_the_future'];

export function generator(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

export function randomDoc(seed: number): ModelDoc {
  const random = generator(seed);
  const below = (n: number) => Math.floor(random() * n);
  const nodes = Array.from({ length: 1 + below(8) }, (_, i): DocNode => {
    const type = TYPES[below(TYPES.length)] ?? 'linear';
    return {
      ...node(`n${i}`, type, { out_features: below(64), rate: random() }),
      title: random() < 0.3 ? 'ü “x”' : '',
    };
  });
  const notes = Array.from(
    { length: below(3) },
    (_, i): Note => ({ id: `note${i}`, text: 'why?\n<b>', width: 96 + below(200), height: 48 + below(90) }),
  );
  const groups = randomGroups(
    [...nodes, ...notes].map((item) => item.id),
    random,
  );
  const layout = Object.fromEntries(
    [...nodes, ...notes].map(({ id }): [string, Position] => [
      id,
      { x: below(900) - 100.5, y: random() * 1e-7 },
    ]),
  );
  const wires = nodes.slice(1).map((one, i) => wire(`n${below(i + 1)}.y>${one.id}.x`));
  return { ...EMPTY_DOC, nodes, notes, groups, wires, layout };
}

/** Boxes around what is free; later boxes hold earlier ones, so they nest. */
function randomGroups(ids: readonly string[], random: () => number): Group[] {
  let free = [...ids];
  const groups: Group[] = [];
  for (let i = Math.floor(random() * 4); i > 0; i--) {
    const members = free.filter(() => random() < 0.4);
    if (members.length === 0) continue;
    const id = `box${i}`;
    free = [...free.filter((one) => !members.includes(one)), id];
    groups.push({ id, title: `Box ${i}`, members, collapsed: random() < 0.5 });
  }
  return groups;
}
