import { describe, expect, it } from 'vitest';
import { chain, docOf, node } from './fixture';
import { hopsOf, lanesOf } from './hops';
import { layoutGraph } from './layout';

describe('auto-layout', () => {
  it('places layers left to right on the grid without overlap', () => {
    const places = layoutGraph({
      nodes: chain.nodes.map(({ id }) => ({ id, width: 160, height: 64 })),
      links: chain.wires.map((wire) => [wire.source.node, wire.target.node]),
    });
    const xs = chain.nodes.map(({ id }) => places.get(id)?.x ?? -1);
    expect(xs[0]).toBe(0);
    expect((xs[1] ?? 0) - (xs[0] ?? 0)).toBeGreaterThanOrEqual(160 + 48);
    expect(xs.every((x) => x % 8 === 0)).toBe(true);
  });

  it('lays out an empty model and single nodes', () => {
    expect(layoutGraph({ nodes: [], links: [] }).size).toBe(0);
    expect(layoutGraph({ nodes: [{ id: 'a', width: 10, height: 10 }], links: [] }).get('a')).toEqual({
      x: 0,
      y: 0,
    });
  });
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
