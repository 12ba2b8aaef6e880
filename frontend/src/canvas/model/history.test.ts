import { describe, expect, it } from 'vitest';
import { canonicalJson, draftHash, EMPTY_DOC, type ModelDoc, meaningHash } from './document';
import { addNode, arrange, connect, moveNodes, removeItems, replaceAll, setParam } from './edits';
import { chain, docOf, node, wire } from './fixture';
import {
  amend,
  closeGesture,
  dispatch,
  isDirty,
  markSaved,
  openHistory,
  redo,
  redoName,
  undo,
  undoName,
} from './history';

describe('undo and redo', () => {
  it('E1: takes back exactly the second wire, brings it back, and makes no step of a click that moves nothing', () => {
    const doc = docOf([node('input'), node('linear'), node('add')], ['input.h>linear.x']);
    const second = wire('linear.y>add.x');
    let history = dispatch(openHistory(doc), connect(doc, second));
    history = dispatch(history, moveNodes(new Map([['linear', { x: 200, y: 0 }]])));
    expect(history.past).toHaveLength(1);
    const undone = undo(history);
    expect(undone.doc).toEqual(doc);
    expect(redo(undone).doc.wires).toContainEqual(second);
  });

  it('takes back with a step what followed from it', () => {
    const doc = docOf([node('input'), node('linear')], []);
    const moved = dispatch(openHistory(doc), moveNodes(new Map([['linear', { x: 777, y: 0 }]])));
    const followed = amend(moved, [{ op: 'set_document', doc: { ...moved.doc, code: 'def model(): ...' } }]);
    expect(followed.past).toHaveLength(1);
    expect(undo(followed).doc).toEqual(doc);
    expect(redo(undo(followed)).doc).toEqual(followed.doc);
    expect(undoName(followed)).toBe('Move node');
  });

  it('E2: undo of an empty history changes nothing and editing goes on', () => {
    const history = undo(undo(openHistory()));
    expect(history.doc).toEqual(EMPTY_DOC);
    const next = dispatch(history, addNode(history.doc, node('input'), { x: 8, y: 8 }, 'Input'));
    expect(next.doc.nodes).toHaveLength(1);
    expect(redo(history).doc).toEqual(EMPTY_DOC);
  });

  it('E14: a deleted node returns with its parameters, its place in the list and all five wires', () => {
    const sinks = ['a', 'b', 'c', 'd'].map((id) => node(id, 'linear'));
    const doc = docOf(
      [node('input'), node('mid', 'linear', { out_features: 7 }), ...sinks],
      ['input.h>mid.x', ...sinks.map((sink) => `mid.y>${sink.id}.x`)],
    );
    const command = removeItems(doc, new Set(['mid']), new Set(), 'Linear');
    const history = dispatch(openHistory(doc), command);
    expect(history.doc.wires).toHaveLength(0);
    expect(undoName(history)).toBe('Delete Linear');
    const undone = undo(history);
    expect(canonicalJson(undone.doc)).toBe(canonicalJson(doc));
    expect(redoName(undone)).toBe('Delete Linear');
  });

  it('E15: auto-layout is one step', () => {
    const places = new Map(chain.nodes.map((one, i) => [one.id, { x: 300 * i, y: 40 }]));
    const history = dispatch(openHistory(chain), arrange(places));
    expect(history.past).toHaveLength(1);
    expect(undo(history).doc.layout).toEqual(chain.layout);
  });

  it('E16: a burst of arrow keys is one step, a pause begins the next', () => {
    let history = openHistory(chain);
    const press = (x: number, at: number) => {
      history = dispatch(history, moveNodes(new Map([['linear', { x, y: 0 }]])), { key: 'keys linear', at });
    };
    press(208, 0);
    press(216, 200);
    press(224, 400);
    expect(history.past).toHaveLength(1);
    expect(history.past[0]?.forward).toHaveLength(1);
    press(232, 5000);
    expect(history.past).toHaveLength(2);
    expect(undo(undo(history)).doc).toEqual(chain);
  });

  it('a drag is one step however long it rests, and the next drag another', () => {
    const move = (x: number) => moveNodes(new Map([['linear', { x, y: 0 }]]));
    let history = dispatch(openHistory(chain), move(1), { key: 'drag' });
    history = dispatch(history, move(2), { key: 'drag' });
    history = dispatch(closeGesture(history), move(3), { key: 'drag' });
    expect(history.past).toHaveLength(2);
    expect(undo(history).doc.layout['linear']).toEqual({ x: 2, y: 0 });
  });

  it('a new edit after undo drops what could be redone', () => {
    const one = dispatch(openHistory(chain), setParam(chain, 'linear', 'out_features', 8));
    const back = undo(one);
    const other = dispatch(back, setParam(chain, 'linear', 'out_features', 9));
    expect(other.future).toHaveLength(0);
    expect(redo(other)).toBe(other);
  });

  it('200 random edits undo to where they began and redo to where they ended', () => {
    const random = generator(7);
    let history = openHistory(chain);
    for (let i = 0; i < 200; i++) history = dispatch(history, randomEdit(history.doc, random, i));
    const end = history.doc;
    while (history.past.length > 0) history = undo(history);
    expect(canonicalJson(history.doc)).toBe(canonicalJson(chain));
    while (history.future.length > 0) history = redo(history);
    expect(canonicalJson(history.doc)).toBe(canonicalJson(end));
  });
});

describe('what counts as unsaved', () => {
  it('E28: an edit made while saving stays dirty when the late answer arrives', () => {
    let history = dispatch(openHistory(chain), setParam(chain, 'linear', 'out_features', 8));
    const sent = history.doc;
    history = dispatch(history, setParam(history.doc, 'linear', 'out_features', 16));
    history = markSaved(history, sent);
    expect(isDirty(history)).toBe(true);
    expect(isDirty(undo(history))).toBe(false);
  });

  it('E29: dirty is "differs from what is saved" after any mix of undo, redo and save', () => {
    let history = dispatch(openHistory(chain), setParam(chain, 'linear', 'out_features', 8));
    expect(isDirty(history)).toBe(true);
    expect(isDirty(undo(history))).toBe(false);
    history = markSaved(history, history.doc);
    expect(isDirty(undo(history))).toBe(true);
    expect(isDirty(redo(undo(history)))).toBe(false);
    const same = dispatch(undo(history), setParam(chain, 'linear', 'out_features', 8));
    expect(isDirty(same)).toBe(false);
  });

  it('moving a node changes the draft but not what the model means', () => {
    const moved = dispatch(openHistory(chain), moveNodes(new Map([['linear', { x: 9, y: 9 }]]))).doc;
    expect(draftHash(moved)).not.toBe(draftHash(chain));
    expect(meaningHash(moved)).toBe(meaningHash(chain));
  });

  it('taking another document over is one step that can be taken back', () => {
    const theirs = docOf([node('input'), node('other', 'linear')], ['input.h>other.x']);
    const history = dispatch(openHistory(chain), replaceAll(chain, theirs, 'Take theirs'));
    expect(canonicalJson(history.doc)).toBe(canonicalJson(theirs));
    expect(canonicalJson(undo(history).doc)).toBe(canonicalJson(chain));
  });
});

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

function randomEdit(doc: ModelDoc, random: () => number, i: number) {
  const pick = doc.nodes[Math.floor(random() * doc.nodes.length)] ?? node('none');
  const other = doc.nodes[Math.floor(random() * doc.nodes.length)] ?? node('none');
  const choice = Math.floor(random() * 5);
  if (choice === 0) return addNode(doc, node(`n${i}`, 'linear'), { x: i, y: i }, 'Linear');
  if (choice === 1) return removeItems(doc, new Set([pick.id]), new Set(), 'Linear');
  if (choice === 2) return connect(doc, wire(`${pick.id}.y>${other.id}.x`), doc.wires[0] ?? null);
  if (choice === 3) return setParam(doc, pick.id, 'out_features', i);
  return moveNodes(new Map([[pick.id, { x: random(), y: random() }]]));
}
