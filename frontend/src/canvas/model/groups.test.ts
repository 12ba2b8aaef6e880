import { describe, expect, it } from 'vitest';
import { copyFragment, exportText, readFragment, renameInto } from './clipboard';
import { compareDocs } from './compare';
import { canonicalJson, EMPTY_DOC, type Group, type ModelDoc, meaningHash } from './document';
import { addFragment, moveNodes, removeItems, setParam } from './edits';
import { chain, docOf, node } from './fixture';
import { fold, groupItems, groupTree, itemsWithin, membersOf, setGroup, ungroup } from './groups';
import { dispatch, openHistory, redo, undo } from './history';
import { randomDoc } from './random-doc';

function box(id: string, ...members: string[]): Group {
  return { id, title: id, members, collapsed: false };
}

function withGroups(doc: ModelDoc, ...groups: Group[]): ModelDoc {
  return { ...doc, groups };
}

const nested = withGroups(chain, box('outer', 'inner', 'output'), box('inner', 'linear'));

describe('groups', () => {
  it('a box is drawn around things, inside the group that holds them all, and taken away again', () => {
    const inner = groupItems(chain, new Set(['linear', 'output']), 'Head');
    let history = dispatch(openHistory(chain), inner.command);
    expect(membersOf(history.doc, inner.id)).toEqual(['linear', 'output']);
    const deeper = groupItems(history.doc, new Set(['linear']));
    history = dispatch(history, deeper.command);
    expect(groupTree(history.doc).parent.get(deeper.id)).toBe(inner.id);
    expect(itemsWithin(history.doc, [inner.id]).sort()).toEqual(
      [deeper.id, inner.id, 'linear', 'output'].sort(),
    );
    history = dispatch(history, ungroup(history.doc, deeper.id));
    expect(membersOf(history.doc, inner.id)).toEqual(['output', 'linear']);
    while (history.past.length > 0) history = undo(history);
    expect(canonicalJson(history.doc)).toBe(canonicalJson(chain));
  });

  it('a folded group hides all that is in it behind the outermost folded one', () => {
    const doc = withGroups(
      chain,
      { ...box('outer', 'inner'), collapsed: true },
      { ...box('inner', 'linear'), collapsed: true },
    );
    expect([...groupTree(doc).hiddenBy]).toEqual([
      ['inner', 'outer'],
      ['linear', 'outer'],
    ]);
  });

  it('nonsense is cut and drawn: groups in one another, a thing in two groups', () => {
    const doc = withGroups(chain, box('a', 'b', 'linear'), box('b', 'a', 'linear'), box('c', 'c'));
    const { parent } = groupTree(doc);
    expect(parent.get('linear')).toBe('a');
    expect(parent.get('b')).toBe('a');
    expect(parent.has('a')).toBe(false);
    expect(itemsWithin(doc, ['a']).sort()).toEqual(['a', 'b', 'linear']);
  });

  it('a node that is deleted leaves its groups, an emptied group goes, and undo brings all of it back', () => {
    const history = dispatch(
      openHistory(nested),
      removeItems(nested, new Set(['linear']), new Set(), 'Linear'),
    );
    expect(history.doc.groups).toEqual([box('outer', 'output')]);
    expect(canonicalJson(undo(history).doc)).toBe(canonicalJson(nested));
    const all = dispatch(openHistory(nested), removeItems(nested, new Set(['outer']), new Set(), 'outer'));
    expect(all.doc.nodes.map((one) => one.id)).toEqual(['input']);
    expect(all.doc.groups).toEqual([]);
    expect(canonicalJson(undo(all).doc)).toBe(canonicalJson(nested));
  });

  it('E3: an edit inside a group survives leaving it and an undo outside', () => {
    let history = dispatch(openHistory(nested), setParam(nested, 'linear', 'out_features', 7));
    history = dispatch(history, fold(history.doc, 'outer', true));
    history = dispatch(history, moveNodes(new Map([['input', { x: -80, y: 0 }]])));
    history = undo(history);
    expect(history.doc.layout['input']).toEqual(nested.layout['input']);
    expect(history.doc.nodes[1]?.params).toEqual({ out_features: 7 });
    history = undo(history);
    expect(groupTree(history.doc).byId.get('outer')?.collapsed).toBe(false);
    expect(history.doc.nodes[1]?.params).toEqual({ out_features: 7 });
    expect(redo(redo(history)).doc.nodes[1]?.params).toEqual({ out_features: 7 });
  });

  it('E4: 200 random documents with nested groups and notes survive export and import byte for byte', () => {
    let groups = 0;
    for (let seed = 0; seed < 200; seed++) {
      const doc = randomDoc(seed);
      groups += doc.groups.length;
      const { fragment, notes } = readFragment(exportText(doc));
      expect(notes).toEqual([]);
      expect(canonicalJson(fragment)).toBe(canonicalJson(doc));
      expect(exportText(readFragment(exportText(fragment)).fragment)).toBe(exportText(fragment));
    }
    expect(groups).toBeGreaterThan(100);
  });

  it('a copied group brings what is in it, under new ids, and its notes', () => {
    const note = { id: 'why', text: 'because', width: 208, height: 96 };
    const doc = { ...withGroups(chain, box('outer', 'inner', 'why'), box('inner', 'linear')), notes: [note] };
    const { fragment, notes } = readFragment(copyFragment(doc, new Set(['outer'])));
    expect(notes).toEqual([]);
    const pasted = dispatch(
      openHistory(doc),
      addFragment(doc, renameInto(doc, fragment, { x: 8, y: 8 }), 'Paste'),
    ).doc;
    expect(pasted.groups.slice(2)).toEqual([
      { ...box('outer_2', 'inner_2', 'why_2'), title: 'outer' },
      { ...box('inner_2', 'linear_2'), title: 'inner' },
    ]);
    expect(pasted.notes.map((one) => one.id)).toEqual(['why', 'why_2']);
  });

  it('groups and notes change the draft, not what the model means; a fold is no difference', () => {
    expect(meaningHash(nested)).toBe(meaningHash(chain));
    const folded = dispatch(openHistory(nested), fold(nested, 'inner', true)).doc;
    expect(compareDocs(nested, folded)).toEqual([]);
    const renamed = dispatch(
      openHistory(nested),
      setGroup(nested, 'inner', { title: 'Encoder' }, 'Rename'),
    ).doc;
    expect(compareDocs(nested, renamed)).toEqual([{ sign: '~', text: 'group Encoder' }]);
    const note = { id: 'why', text: 'because', width: 208, height: 96 };
    expect(compareDocs(EMPTY_DOC, { ...EMPTY_DOC, notes: [note] })).toEqual([
      { sign: '+', text: 'note “because”' },
    ]);
  });

  it('a group copied without all of its members keeps those that came along', () => {
    const doc = withGroups(docOf([node('a', 'linear'), node('b', 'linear')]), box('g', 'a', 'b'));
    expect(readFragment(copyFragment(doc, new Set(['a']))).fragment.groups).toEqual([]);
  });
});
