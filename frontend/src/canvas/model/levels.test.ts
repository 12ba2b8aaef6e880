import { describe, expect, it } from 'vitest';
import { align } from './align';
import { boxOf, crossings, drawnBoxes, shifted } from './boxes';
import { canonicalJson, type ModelDoc } from './document';
import { arrange, moveNodes } from './edits';
import { catalog, chain, docOf, node } from './fixture';
import { fold } from './groups';
import { dispatch, openHistory, undo } from './history';
import { layoutLevels } from './layout-levels';
import { levelRequest } from './level-request';
import { addNote, setNote } from './notes';
import { randomDoc } from './random-doc';
import { insertOnWire, layersOn, spliceNode } from './splice';

const grouped: ModelDoc = {
  ...docOf(
    [node('input'), node('a', 'linear'), node('b', 'linear'), node('output')],
    ['input.h>a.x', 'a.y>b.x', 'b.y>output.x'],
  ),
  groups: [{ id: 'box', title: 'Encoder', members: ['a', 'b', 'why'], collapsed: false }],
  notes: [{ id: 'why', text: 'two layers are enough', width: 208, height: 96 }],
};
const doc: ModelDoc = { ...grouped, layout: { ...grouped.layout, why: { x: 200, y: 200 } } };

describe('auto-layout of groups and notes', () => {
  it('E15: undo takes back an auto-layout in one step, notes and groups included', () => {
    const places = layoutLevels(levelRequest(catalog, doc));
    expect([...places.keys()].sort()).toEqual(['a', 'b', 'input', 'output', 'why']);
    const history = dispatch(openHistory(doc), arrange(places));
    expect(history.past).toHaveLength(1);
    expect(history.doc.layout).not.toEqual(doc.layout);
    expect(canonicalJson(undo(history).doc)).toBe(canonicalJson(doc));
  });

  it('nothing overlaps a group that it is not in, folded or not, in 100 random models', () => {
    for (let seed = 0; seed < 100; seed++) {
      const random = randomDoc(seed);
      const laid = dispatch(openHistory(random), arrange(layoutLevels(levelRequest(catalog, random)))).doc;
      const top = [...laid.nodes, ...laid.groups, ...laid.notes].filter(
        ({ id }) => !laid.groups.some((group) => group.members.includes(id)),
      );
      const boxes = top.flatMap(({ id }) => boxOf(catalog, laid, id) ?? []);
      boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) {
          const apart =
            a.x + a.width <= b.x + 1 ||
            b.x + b.width <= a.x + 1 ||
            a.y + a.height <= b.y + 1 ||
            b.y + b.height <= a.y + 1;
          expect(apart, `seed ${seed}`).toBe(true);
        }
      });
    }
  });

  it('a folded group moves what is in it as a whole', () => {
    const folded = dispatch(openHistory(doc), fold(doc, 'box', true)).doc;
    const places = layoutLevels(levelRequest(catalog, folded));
    const [a, b, why] = ['a', 'b', 'why'].map((id) => places.get(id));
    expect((b?.x ?? 0) - (a?.x ?? 0)).toBe(200);
    expect((why?.y ?? 0) - (a?.y ?? 0)).toBe(200);
  });
});

describe('boxes', () => {
  it('a frame is drawn around its members and moves them; folded it shows the ports of wires that cross it', () => {
    const frame = drawnBoxes(catalog, doc).get('box');
    expect(frame).toMatchObject({ x: 184, y: -48 });
    const moved = dispatch(openHistory(doc), moveNodes(new Map(shifted(doc, 'box', { x: 10, y: 20 })))).doc;
    expect(drawnBoxes(catalog, moved).get('box')).toMatchObject({ x: 194, y: -28 });
    expect(moved.layout['input']).toEqual(doc.layout['input']);
    expect(crossings(doc, 'box')).toEqual({
      inputs: [{ node: 'a', port: 'x' }],
      outputs: [{ node: 'b', port: 'y' }],
    });
    const folded = dispatch(openHistory(doc), fold(doc, 'box', true)).doc;
    expect([...drawnBoxes(catalog, folded).keys()]).toEqual(['box']);
  });

  it('things are lined up and spaced evenly, as one step', () => {
    const scattered = {
      ...chain,
      layout: { input: { x: 0, y: 0 }, linear: { x: 250, y: 40 }, output: { x: 600, y: 90 } },
    };
    const ids = new Set(['input', 'linear', 'output']);
    const top = dispatch(openHistory(scattered), align(catalog, scattered, ids, 'top'));
    expect(Object.values(top.doc.layout).map((at) => at.y)).toEqual([0, 0, 0]);
    const spaced = dispatch(top, align(catalog, top.doc, ids, 'columns'));
    expect(
      Object.values(spaced.doc.layout)
        .map((at) => at.x)
        .sort((a, b) => a - b),
    ).toEqual([0, 300, 600]);
    expect(undo(undo(spaced)).doc).toEqual(scattered);
  });

  it('a note is written in bursts, and taken back', () => {
    const { command, id } = addNote(doc, { x: 1, y: 2 });
    let history = dispatch(openHistory(doc), command);
    history = dispatch(history, setNote(history.doc, id, { text: 'o' }), { key: 'n', at: 0 });
    history = dispatch(history, setNote(history.doc, id, { text: 'ok' }), { key: 'n', at: 200 });
    expect(history.past).toHaveLength(2);
    expect(undo(history).doc.notes.at(-1)?.text).toBe('');
    expect(canonicalJson(undo(undo(history)).doc)).toBe(canonicalJson(doc));
  });
});

describe('a layer is put on a wire', () => {
  it('a new one, in the group both ends are in; undo brings the old wire back', () => {
    const layer = catalog.byType.get('bend');
    const inserted = layer && insertOnWire(catalog, doc, layer, 'a.y>b.x');
    if (!inserted) throw new Error('it fits');
    const history = dispatch(openHistory(doc), inserted.command);
    expect(history.doc.groups[0]?.members).toEqual(['a', 'b', 'why', 'bend']);
    const [before, after] = history.doc.wires.slice(-2);
    expect([before?.target.node, after?.source.node]).toEqual(['bend', 'bend']);
    expect(canonicalJson(undo(history).doc)).toBe(canonicalJson(doc));
  });

  it('the other wires of a port of many stay', () => {
    const sum = docOf([node('input'), node('linear'), node('add')], ['input.h>add.x', 'linear.y>add.x']);
    const layer = catalog.byType.get('bend');
    const inserted = layer && insertOnWire(catalog, sum, layer, 'linear.y>add.x');
    const wires = dispatch(openHistory(sum), inserted?.command ?? { name: '', operations: [] }).doc.wires;
    expect(wires.map((one) => `${one.source.node}>${one.target.node}`)).toEqual([
      'input>add',
      'linear>bend',
      'bend>add',
    ]);
  });

  it('one that is there already, while nothing is wired to it', () => {
    const loose = docOf([node('input'), node('bend'), node('output')], ['input.h>output.x']);
    const command = spliceNode(catalog, loose, 'bend', 'input.h>output.x');
    expect(command?.name).toBe('Insert Bend');
    const spliced = dispatch(openHistory(loose), command ?? { name: '', operations: [] });
    expect(spliced.doc.wires).toHaveLength(2);
    expect(spliceNode(catalog, spliced.doc, 'bend', 'input.h>bend.x')).toBeNull();
    expect(undo(spliced).doc).toEqual(loose);
  });

  it('only layers that take what comes and give what is wanted are offered', () => {
    const [wire] = chain.wires;
    const offered = wire ? layersOn(catalog, chain, wire).map((layer) => layer.type) : [];
    expect(offered).toContain('bend');
    expect(offered).not.toContain('aggregate');
    expect(offered).not.toContain('output');
  });
});
