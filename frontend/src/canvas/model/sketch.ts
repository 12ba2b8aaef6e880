/**
 * The geometry of a thumbnail.
 *
 * 1. Lay the model out as the canvas would (columns of stacks), whatever its stored positions: thumbnails compare.
 * 2. Shrink columns and rows to a fixed pitch, so a long chain still shows its blocks.
 * 3. Layers that read neighbours are tall; a layer of one value in and out is a thin bar under its source.
 */
import { type Catalog, findPort } from './catalog';
import { columnsOf } from './columns';
import type { ModelDoc } from './document';
import { isUnary } from './geometry';
import { hopsOf, lanesOf, neighbourReaders } from './hops';
import { UNKNOWN_KIND } from './value-types';

export interface Block {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly reads: boolean;
}

export interface Sketch {
  readonly blocks: readonly Block[];
  readonly links: readonly { readonly id: string; readonly path: string; readonly kind: string }[];
  readonly lanes: readonly { readonly from: number; readonly to: number }[];
  readonly width: number;
  readonly height: number;
}

const BLOCK = 34;
const GAP = 26;
const MARGIN = 16;
const HEIGHT = 96;
const ROW_GAP = 4;
const STACK_MARGIN = 6;
const AT_MOST = 120;

export function sketch(catalog: Catalog, doc: ModelDoc): Sketch {
  const shown = doc.nodes.length > AT_MOST ? { ...doc, nodes: doc.nodes.slice(0, AT_MOST) } : doc;
  const reads = neighbourReaders(catalog);
  const columns = columnsOf(catalog, shown);
  const heights = columns.map((stacks) =>
    stacks.map((stack) =>
      stack.map((node) => heightOf(reads(node.type), isUnary(catalog.byType.get(node.type)))),
    ),
  );
  const totals = heights.map((column) =>
    column
      .flat()
      .reduce((sum, height) => sum + height + ROW_GAP, STACK_MARGIN * (column.length - 1) - ROW_GAP),
  );
  const height = Math.max(HEIGHT, ...totals.map((total) => total + 16));
  const blocks = columns.flatMap((stacks, column) => {
    let y = (height - (totals[column] ?? 0)) / 2;
    return stacks.flatMap((stack, s) => {
      const drawn = stack.map((node, i): Block => {
        const tall = heights[column]?.[s]?.[i] ?? 0;
        const x = MARGIN + column * (BLOCK + GAP);
        const block = { id: node.id, x, y, width: BLOCK, height: tall, reads: reads(node.type) };
        y += tall + ROW_GAP;
        return block;
      });
      y += STACK_MARGIN;
      return drawn;
    });
  });
  const width = 2 * MARGIN + columns.length * BLOCK + Math.max(0, columns.length - 1) * GAP;
  const boxes = new Map(blocks.map((block) => [block.id, block]));
  const lanes = lanesOf(hopsOf(shown, reads), boxes)
    .filter((_, i) => i % 2 === 1)
    .map(({ from, to }) => ({ from: from - GAP / 8, to: to + GAP / 8 }));
  return { blocks, links: linksOf(catalog, shown, boxes), lanes, width, height };
}

function heightOf(reads: boolean, unary: boolean): number {
  if (reads) return 56;
  return unary ? 12 : 24;
}

function linksOf(catalog: Catalog, doc: ModelDoc, boxes: ReadonlyMap<string, Block>): Sketch['links'] {
  return doc.wires.flatMap((wire, i) => {
    const [a, b] = [boxes.get(wire.source.node), boxes.get(wire.target.node)];
    if (!a || !b) return [];
    const kind = findPort(catalog, doc, wire.source, 'output')?.kind ?? UNKNOWN_KIND;
    const path = a.x === b.x ? spine(a, b) : curve(a, b);
    return [{ id: String(i), path, kind }];
  });
}

function spine(a: Block, b: Block): string {
  const x = a.x + a.width / 2;
  return `M${x} ${a.y + a.height}L${x} ${b.y}`;
}

function curve(a: Block, b: Block): string {
  const [x1, y1, x2, y2] = [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2];
  const bend = Math.max(12, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
