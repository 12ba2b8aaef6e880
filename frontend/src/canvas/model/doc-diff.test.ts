import { describe, expect, it } from 'vitest';
import { diffDocs } from './doc-diff';
import { wireId } from './document';
import { removeItems, setParam } from './edits';
import { chain, node } from './fixture';
import { dispatch, openHistory } from './history';

const edited = (...commands: Parameters<typeof dispatch>[1][]) =>
  commands.reduce((history, command) => dispatch(history, command), openHistory(chain)).doc;

describe('E13: two documents as one drawing', () => {
  it('equal documents differ in nothing, wherever their nodes stand', () => {
    const moved = { ...chain, layout: { linear: { x: 999, y: 9 } } };
    expect(diffDocs(chain, moved).same).toBe(true);
  });

  it('a setting is changed, with its value before and after', () => {
    const after = edited(setParam(chain, 'linear', 'out_features', 99));
    const [found] = diffDocs(chain, after).nodes;
    expect(found).toMatchObject({ id: 'linear', mark: 'changed' });
    expect(found?.params.map(({ name, after: value }) => [name, value])).toEqual([['out_features', 99]]);
  });

  it('what was removed stays in the drawing, with its wires, and nothing stands on top of it', () => {
    const after = {
      ...edited(removeItems(chain, new Set(['linear']), new Set(), 'Linear')),
    };
    const diff = diffDocs(chain, after);
    expect(diff.union.nodes.map((one) => one.id).sort()).toEqual(chain.nodes.map((one) => one.id).sort());
    expect(diff.union.wires.map(wireId).sort()).toEqual(chain.wires.map(wireId).sort());
    expect(diff.marks.get('linear')).toBe('removed');
    expect(diff.wires.every(({ mark }) => mark === 'removed')).toBe(true);
    expect(diff.union.layout['linear']).toEqual(chain.layout['linear']);
  });

  it('turned round, added is removed and the other way about', () => {
    const after = { ...chain, nodes: [...chain.nodes, node('extra', 'linear')] };
    expect(diffDocs(chain, after).marks.get('extra')).toBe('added');
    expect(diffDocs(after, chain).marks.get('extra')).toBe('removed');
  });

  it('programs, groups and notes count; folding a group does not', () => {
    const group = { id: 'g', title: 'Head', members: ['linear'], collapsed: false };
    const before = { ...chain, groups: [group], programs: [{ name: 'p', source: 'a' }] };
    const after = {
      ...chain,
      groups: [{ ...group, collapsed: true }],
      programs: [{ name: 'p', source: 'b' }],
      notes: [{ id: 'n', text: 'Why', width: 208, height: 96 }],
    };
    const diff = diffDocs(before, after);
    expect(diff.programs).toEqual([{ name: 'p', mark: 'changed', before: 'a', after: 'b' }]);
    expect(diff.drawn).toEqual([{ mark: 'added', text: 'note “Why”' }]);
  });
});
