import { describe, expect, it } from 'vitest';
import { columnsOf, placeInColumns } from './columns';
import { catalog, chain, docOf, node } from './fixture';
import { freePlace, isSnapped, layoutRequest } from './geometry';
import { hopsOf, lanesOf } from './hops';
import { layoutGraph } from './layout';

describe('auto-layout', () => {
  it('places layers left to right on the grid without overlap', () => {
    const places = layoutGraph({
      nodes: chain.nodes.map(({ id }) => ({ id, width: 160, height: 64, above: null })),
      links: chain.wires.map((wire) => [wire.source.node, wire.target.node]),
    });
    const xs = chain.nodes.map(({ id }) => places.get(id)?.x ?? -1);
    expect(xs[0]).toBe(0);
    expect((xs[1] ?? 0) - (xs[0] ?? 0)).toBeGreaterThanOrEqual(160 + 48);
    expect(xs.every((x) => x % 4 === 0)).toBe(true);
  });

  it('lays out an empty model and single nodes', () => {
    expect(layoutGraph({ nodes: [], links: [] }).size).toBe(0);
    expect(
      layoutGraph({ nodes: [{ id: 'a', width: 10, height: 10, above: null }], links: [] }).get('a'),
    ).toEqual({
      x: 0,
      y: 0,
    });
  });
});

it('layers of one value in and out snap under what feeds them', () => {
  const doc = docOf(
    [node('input'), node('attend'), node('bend'), node('drop', 'bend'), node('output')],
    ['input.h>attend.x', 'attend.y>bend.x', 'bend.y>drop.x', 'drop.y>output.x'],
  );
  const request = layoutRequest(catalog, doc);
  expect(request.nodes.map((one) => one.above)).toEqual([null, null, 'attend', 'bend', null]);
  const places = layoutGraph(request);
  expect(places.get('bend')?.x).toBe(places.get('attend')?.x);
  expect(places.get('drop')?.y).toBeGreaterThan(places.get('bend')?.y ?? 0);
  const laid = { ...doc, layout: Object.fromEntries(places) };
  expect(isSnapped(catalog, laid, 'bend', 'drop')).toBe(true);
  expect(isSnapped(catalog, laid, 'drop', 'output')).toBe(false);
});

it('columns: what snaps stands under its source, a branch beside its sibling, a loop does not hang', () => {
  const doc = docOf(
    [
      node('input'),
      node('drop', 'bend'),
      node('a', 'linear'),
      node('b', 'linear'),
      node('add'),
      node('output'),
    ],
    ['input.h>drop.x', 'drop.y>a.x', 'drop.y>b.x', 'a.y>add.x', 'b.y>add.x', 'add.y>output.x'],
  );
  const names = columnsOf(catalog, doc).map((column) =>
    column.map((stack) => stack.map((one) => one.id).join('+')),
  );
  expect(names).toEqual([['input+drop'], ['a', 'b'], ['add'], ['output']]);
  const loop = docOf([node('a', 'linear'), node('b', 'linear')], ['a.y>b.x', 'b.y>a.x']);
  expect(columnsOf(catalog, loop).flat(2)).toHaveLength(2);
  expect(Object.keys(placeInColumns(catalog, doc))).toHaveLength(6);
});

it('a new node lands on free ground', () => {
  const place = freePlace(catalog, chain, { x: 0, y: 0 }, { width: 176, height: 36 });
  expect(place.y).toBeGreaterThan(36);
});

describe('lanes', () => {
  const reads = (type: string) => type === 'attend';

  it('a layer that reads its neighbours begins the next hop', () => {
    const doc = docOf(
      [node('input'), node('first', 'attend'), node('act', 'linear'), node('second', 'attend')],
      ['input.h>first.x', 'first.y>act.x', 'act.y>second.x'],
    );
    const hops = hopsOf(doc, reads);
    expect([...hops.values()]).toEqual([0, 1, 1, 2]);
    const boxes = new Map(doc.nodes.map((one, i) => [one.id, { x: 200 * i, width: 100 }]));
    expect(lanesOf(hops, boxes).map((lane) => [lane.label, lane.from, lane.to])).toEqual([
      ['Own features', 0, 150],
      ['Hop 1', 150, 550],
      ['Hop 2', 550, 700],
    ]);
  });

  it('hops that overlap on the canvas share a lane, and a loop does not hang', () => {
    const doc = docOf([node('a', 'attend'), node('b', 'attend')], ['a.y>b.x', 'b.y>a.x']);
    const boxes = new Map([
      ['a', { x: 0, width: 100 }],
      ['b', { x: 50, width: 100 }],
    ]);
    expect(lanesOf(hopsOf(doc, reads), boxes)).toHaveLength(1);
  });
});
