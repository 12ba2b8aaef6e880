/**
 * Where the nodes of a program stand: lanes from left to right, in each as many columns as values wait for one another.
 *
 * 1. A node's column is its lane (inputs; then for each round of neighbours: per vertex, per edge, aggregation; result)
 *    and how many nodes of that lane come before it. What is computed per vertex moves as far right as its readers allow.
 *    A node that only continues the one before it stands under it, in one stack.
 * 2. A wire that passes columns gets a place in each, shared by wires of one port.
 * 3. Within a column the order follows the middle of the neighbours' places, in sweeps.
 * 4. Then heights do, as near to the neighbours as order and gaps allow.
 */
import {
  drawnNodes,
  drawnWires,
  inPorts,
  outPlaces,
  type ProgramGraph,
  type ProgramNode,
  type ProgramWire,
  settingsText,
  shownAs,
  titleOfNode,
  wireKey,
} from './graph';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface VertexLane {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly from: number;
  readonly to: number;
}

export interface VertexLayout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lanes: readonly VertexLane[];
  readonly routes: ReadonlyMap<string, readonly Point[]>;
}

export const HEAD = 28;
export const ROW = 20;
const FAN = 64;
const SPINE = 12;
const MOST_STACKED = 4;
const GAP = { node: 22, pass: 12, column: 76, lane: 40 } as const;
const SWEEPS = 6;

const LANES: Readonly<Record<ProgramNode['lane'], { order: number; title: string; note: string }>> = {
  input: { order: -1, title: 'Inputs', note: '' },
  vertex: { order: 0, title: 'Per vertex', note: 'runs N times' },
  edge: { order: 1, title: 'Per edge', note: 'runs E times' },
  aggregation: { order: 2, title: 'Aggregation', note: 'edge to vertex' },
  result: { order: 3, title: 'Result', note: '' },
};

/** One row where a single wire comes in and one goes out: the box says all in its head. */
export function isFlat(graph: ProgramGraph, node: ProgramNode): boolean {
  return node.kind !== 'aggregate' && inPorts(node).length <= 1 && outPlaces(graph, node).length <= 1;
}

export function sizeOf(graph: ProgramGraph, node: ProgramNode): { width: number; height: number } {
  const settings = settingsText(node);
  const flat = isFlat(graph, node);
  const letters = titleOfNode(node).length + (flat ? settings.length : 0);
  const longest = Math.max(letters, (node.name ?? '').length + 4, flat ? 0 : settings.length - 2);
  const width = Math.min(168, Math.max(92, 40 + 6.6 * longest));
  const rows = Math.max(inPorts(node).length, outPlaces(graph, node).length);
  const name = node.name !== null && node.kind !== 'feature' && node.kind !== 'parameter' ? 14 : 0;
  const foot = !flat && settings !== '' ? 18 : 0;
  if (flat) return { width, height: HEAD + name };
  return { width, height: HEAD + ROW * rows + foot + name + (node.kind === 'aggregate' ? FAN : 0) + 4 };
}

/** How far below a node's top a port is. */
export function portY(graph: ProgramGraph, node: ProgramNode, row: number): number {
  return isFlat(graph, node) ? HEAD / 2 : HEAD + ROW * row + ROW / 2;
}

/** Nodes on top of one another, or a wire passing through a column. */
interface Item {
  readonly id: string;
  readonly column: number;
  readonly width: number;
  readonly height: number;
  readonly members: readonly Member[];
  y: number;
}

interface Member {
  readonly node: ProgramNode;
  /** Below the top of its stack. */
  readonly top: number;
  readonly height: number;
}

interface Link {
  readonly from: Item;
  readonly to: Item;
  /** Where it touches them, below their tops. */
  readonly out: number;
  readonly into: number;
}

export function layOut(graph: ProgramGraph): VertexLayout {
  const nodes = drawnNodes(graph);
  const wires = drawnWires(graph);
  const columns = columnsOf(nodes, wires);
  const items = itemsOf(graph, nodes, columns);
  const { links, chains } = linksOf(graph, wires, items);
  const byColumn = columns.keys.map((_, i) =>
    [...new Set(items.values())].filter((item) => item.column === i),
  );
  order(byColumn, links);
  settle(byColumn, links);
  const { lanes, lefts } = spread(columns.keys, byColumn);
  return { boxes: boxesOf(byColumn, lefts), lanes, routes: routesOf(graph, wires, items, chains, lefts) };
}

/** The item of every node: its stack. */
function itemsOf(
  graph: ProgramGraph,
  nodes: readonly ProgramNode[],
  columns: ReturnType<typeof columnsOf>,
): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const node of nodes) {
    const above = columns.above.get(node.id);
    const stack = above === undefined ? undefined : items.get(above);
    const { width, height } = sizeOf(graph, node);
    const top = stack ? stack.height + SPINE : 0;
    const members = [...(stack?.members ?? []), { node, top, height }];
    const item: Item = {
      id: stack?.id ?? node.id,
      column: columns.of.get(node.id) ?? 0,
      width: Math.max(width, stack?.width ?? 0),
      height: top + height,
      members,
      y: 0,
    };
    for (const member of members) items.set(member.node.id, item);
  }
  return items;
}

function memberOf(item: Item, id: string): Member | undefined {
  return item.members.find((member) => member.node.id === id);
}

// --- columns --------------------------------------------------------------------------------------------------------

interface ColumnKey {
  readonly lane: ProgramNode['lane'];
  readonly stage: number;
  readonly depth: number;
}

function columnsOf(nodes: readonly ProgramNode[], wires: readonly ProgramWire[]) {
  const forward = wires.filter((wire) => !wire.back);
  const stages = lateStages(nodes, forward);
  const group = (node: ProgramNode) => `${node.lane} ${stages.get(node.id)}`;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depth = new Map<string, number>();
  const above = new Map<string, string>();
  const taken = new Map<string, string>();
  const stacked = new Map<string, number>();
  /** The one node before it that nothing else reads: this one may stand under it. */
  const stackable = (before: readonly ProgramNode[], node: ProgramNode, deepest: number) => {
    const [only, ...more] = before;
    if (!only || more.length > 0 || node.lane === 'aggregation' || depth.get(only.id) !== deepest)
      return null;
    const readers = wires.filter((wire) => wire.source === only.id);
    const free = readers.length === 1 && !taken.has(only.id) && (stacked.get(only.id) ?? 1) < MOST_STACKED;
    return free ? only : null;
  };
  const depthOf = (node: ProgramNode): number => {
    const known = depth.get(node.id);
    if (known !== undefined) return known;
    depth.set(node.id, 0); // a loop the text should not have must not hang the page
    if (node.lane === 'input') return 0;
    const before = forward
      .filter((wire) => wire.target === node.id)
      .flatMap((wire) => byId.get(wire.source) ?? [])
      .filter((source) => group(source) === group(node));
    const deepest = Math.max(-1, ...before.map(depthOf));
    const under = stackable(before, node, deepest);
    if (under) {
      above.set(node.id, under.id);
      taken.set(under.id, node.id);
      stacked.set(node.id, (stacked.get(under.id) ?? 1) + 1);
    }
    const found = under ? deepest : deepest + 1;
    depth.set(node.id, found);
    return found;
  };
  const keyed = nodes.map((node): [ProgramNode, ColumnKey] => {
    const stage = node.lane === 'result' ? Number.MAX_SAFE_INTEGER : (stages.get(node.id) ?? 0);
    return [node, { lane: node.lane, stage: node.lane === 'input' ? -1 : stage, depth: depthOf(node) }];
  });
  const text = (key: ColumnKey) => `${key.lane} ${key.stage} ${key.depth}`;
  const unique = new Map(keyed.map(([, key]) => [text(key), key]));
  const keys = [...unique.values()].sort(
    (a, b) => a.stage - b.stage || LANES[a.lane].order - LANES[b.lane].order || a.depth - b.depth,
  );
  const number = new Map(keys.map((key, i) => [text(key), i]));
  return { keys, above, of: new Map(keyed.map(([node, key]) => [node.id, number.get(text(key)) ?? 0])) };
}

/** Rounds of neighbours before a node; work of the vertices waits for the round in which it is first read. */
function lateStages(nodes: readonly ProgramNode[], wires: readonly ProgramWire[]): Map<string, number> {
  const stages = new Map(nodes.map((node) => [node.id, node.stage]));
  for (const node of [...nodes].reverse()) {
    if (node.lane !== 'vertex' || node.kind === 'loop') continue;
    const readers = wires
      .filter((wire) => wire.source === node.id)
      .map((wire) => stages.get(wire.target) ?? 0);
    const first = readers.length > 0 ? Math.min(...readers) : node.stage;
    stages.set(node.id, Math.max(node.stage, first));
  }
  return stages;
}

// --- wires through columns ------------------------------------------------------------------------------------------

function linksOf(graph: ProgramGraph, wires: readonly ProgramWire[], items: Map<string, Item>) {
  const links: Link[] = [];
  const chains = new Map<string, Item[]>();
  for (const wire of wires) {
    const from = items.get(wire.source);
    const to = items.get(wire.target);
    if (!from || !to || wire.back || to.column <= from.column) continue;
    const source = memberOf(from, wire.source)?.node;
    const port = `${wire.source} ${source ? shownAs(source, wire.place) : wire.place}`;
    const chain: Item[] = [];
    let last = from;
    let out = outY(graph, from, wire);
    for (let column = from.column + 1; column < to.column; column++) {
      const id = `${port} @${column}`;
      const known = items.get(id);
      const pass = known ?? { id, column, width: 0, height: 6, members: [], y: 0 };
      if (!known) {
        items.set(id, pass);
        links.push({ from: last, to: pass, out, into: 3 });
      }
      chain.push(pass);
      last = pass;
      out = 3;
    }
    links.push({ from: last, to, out, into: inY(graph, to, wire) });
    chains.set(wireKey(wire), chain);
  }
  return { links, chains };
}

function outY(graph: ProgramGraph, item: Item, wire: ProgramWire): number {
  const member = memberOf(item, wire.source);
  if (!member) return 0;
  const row = outPlaces(graph, member.node).indexOf(shownAs(member.node, wire.place));
  return member.top + portY(graph, member.node, Math.max(0, row));
}

function inY(graph: ProgramGraph, item: Item, wire: ProgramWire): number {
  const member = memberOf(item, wire.target);
  if (!member) return 0;
  const row = inPorts(member.node).findIndex((port) => port.argument === wire.argument);
  return member.top + portY(graph, member.node, Math.max(0, row));
}

// --- order and heights ----------------------------------------------------------------------------------------------

function order(columns: Item[][], links: readonly Link[]): void {
  stack(columns);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const rightward = sweep % 2 === 0;
    const list = rightward ? columns : [...columns].reverse();
    for (const column of list) {
      const wish = new Map(column.map((item) => [item, wishOf(item, links, rightward)]));
      column.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
      place(column, (item) => item.y);
    }
    stack(columns);
  }
}

/** Where an item would stand if it only looked one way; where it stands if there is nothing that way. */
function wishOf(item: Item, links: readonly Link[], back: boolean): number {
  const found = links.flatMap((link) => {
    if (back && link.to === item) return [link.from.y + link.out - link.into];
    return !back && link.from === item ? [link.to.y + link.into - link.out] : [];
  });
  return found.length === 0 ? item.y : found.reduce((a, b) => a + b, 0) / found.length;
}

function stack(columns: readonly Item[][]): void {
  for (const column of columns) {
    let y = 0;
    for (const item of column) {
      item.y = y;
      y += item.height + gapBelow(item);
    }
    for (const item of column) item.y -= y / 2;
  }
}

function settle(columns: readonly Item[][], links: readonly Link[]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const rightward = sweep % 2 === 1;
    for (const column of rightward ? columns : [...columns].reverse())
      place(column, (item) => wishOf(item, links, rightward));
  }
  const top = Math.min(...columns.flat().map((item) => item.y));
  for (const item of columns.flat()) item.y -= top;
}

function gapBelow(item: Item): number {
  return item.members.length > 0 ? GAP.node : GAP.pass;
}

/** As near to the wishes as order and gaps allow: blocks that would overlap are put together at the mean of their wishes. */
function place(column: readonly Item[], wish: (item: Item) => number): void {
  const blocks: { sum: number; items: { item: Item; offset: number }[]; height: number }[] = [];
  for (const item of column) {
    let block = { sum: wish(item), items: [{ item, offset: 0 }], height: item.height + gapBelow(item) };
    for (let above = blocks.at(-1); above; above = blocks.at(-1)) {
      const height = above.height;
      if (above.sum / above.items.length + height <= block.sum / block.items.length) break;
      blocks.pop();
      block = {
        sum: above.sum + block.sum - height * block.items.length,
        items: [
          ...above.items,
          ...block.items.map((one) => ({ item: one.item, offset: one.offset + height })),
        ],
        height: height + block.height,
      };
    }
    blocks.push(block);
  }
  for (const { sum, items } of blocks) {
    for (const { item, offset } of items) item.y = sum / items.length + offset;
  }
}

// --- coordinates ----------------------------------------------------------------------------------------------------

function spread(keys: readonly ColumnKey[], columns: readonly (readonly Item[])[]) {
  const lanes: VertexLane[] = [];
  const lefts: { x: number; width: number }[] = [];
  let x = 0;
  keys.forEach((key, i) => {
    const width = Math.max(92, ...(columns[i] ?? []).map((item) => item.width));
    const before = keys[i - 1];
    const opens = !before || before.lane !== key.lane || before.stage !== key.stage;
    if (i > 0) x += GAP.column + (opens ? GAP.lane : 0);
    const edge = x - GAP.lane - (i === 0 ? 0 : 8);
    if (opens) {
      const last = lanes.at(-1);
      if (last) lanes[lanes.length - 1] = { ...last, to: edge };
      const { title, note } = LANES[key.lane];
      lanes.push({ key: `${key.lane} ${key.stage}`, title, note, from: edge, to: edge });
    }
    lefts.push({ x, width });
    x += width;
    const open = lanes.at(-1);
    if (open) lanes[lanes.length - 1] = { ...open, to: x + GAP.lane };
  });
  return { lanes, lefts };
}

function boxesOf(columns: readonly (readonly Item[])[], lefts: readonly { x: number }[]): Map<string, Box> {
  const boxes = new Map<string, Box>();
  columns.forEach((column, i) => {
    for (const { members, y, width } of column)
      for (const { node, top, height } of members)
        boxes.set(node.id, { x: lefts[i]?.x ?? 0, y: Math.round(y) + top, width, height });
  });
  return boxes;
}

/** From the bottom of one node to the top of the next in its stack. */
function spine(item: Item, wire: ProgramWire, x: number): Point[] {
  const [above, below] = [memberOf(item, wire.source), memberOf(item, wire.target)];
  if (!above || !below) return [];
  const y = Math.round(item.y);
  return [
    { x, y: y + above.top + above.height },
    { x, y: y + below.top },
  ];
}

/** Whether a wire is such a spine: then its ports are not drawn. */
export function isSpine(layout: VertexLayout, wire: ProgramWire): boolean {
  const points = layout.routes.get(wireKey(wire));
  return points?.length === 2 && points[0]?.x === points[1]?.x;
}

function routesOf(
  graph: ProgramGraph,
  wires: readonly ProgramWire[],
  items: ReadonlyMap<string, Item>,
  chains: ReadonlyMap<string, readonly Item[]>,
  lefts: readonly { x: number; width: number }[],
): Map<string, Point[]> {
  const routes = new Map<string, Point[]>();
  for (const wire of wires) {
    const from = items.get(wire.source);
    const to = items.get(wire.target);
    if (!from || !to) continue;
    const start = lefts[from.column]?.x ?? 0;
    if (from === to) {
      routes.set(wireKey(wire), spine(from, wire, start + from.width / 2));
      continue;
    }
    const begin = { x: start + from.width, y: Math.round(from.y) + outY(graph, from, wire) };
    const end = { x: lefts[to.column]?.x ?? 0, y: Math.round(to.y) + inY(graph, to, wire) };
    const between = (chains.get(wireKey(wire)) ?? []).flatMap((item) => {
      const { x, width } = lefts[item.column] ?? { x: 0, width: 0 };
      return [
        { x, y: item.y + 3 },
        { x: x + width, y: item.y + 3 },
      ];
    });
    routes.set(wireKey(wire), [begin, ...between, end]);
  }
  return routes;
}
