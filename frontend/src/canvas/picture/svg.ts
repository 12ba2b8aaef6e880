/**
 * The whole model as one SVG that stands alone: what the canvas shows, whatever of it is in sight, in the colours of the theme.
 *
 * Sizes are those the canvas computes, so nothing has to be on the page. Colours are written out and fonts come along, so the
 * file looks the same anywhere. Text of the model is escaped: it is drawn, never read as markup.
 */
import { type Box, boxOf, drawnBoxes, hull } from '../model/boxes';
import type { Catalog, PortInfo } from '../model/catalog';
import type { Checks } from '../model/checks';
import { findNode, type ModelDoc, type Wire, wiresOf } from '../model/document';
import { FOOT, HEAD, isSnapped, NODE_WIDTH, portTop, ROW } from '../model/geometry';
import { groupTree } from '../model/groups';
import { hopsOf, lanesOf, neighbourReaders } from '../model/hops';
import { type NodeLook, nodeLooks, type Scene, type WireLook, wireLooks } from '../model/looks';
import { shapeText } from '../model/value-types';
import { summary } from '../view/param-text';
import { glyphOf, kindColour } from '../view/port-glyph';

export interface Paint {
  /** What `var(--name)` stands for now. */
  readonly colour: (name: string) => string;
  /** `@font-face` rules with the fonts in them. */
  readonly fonts: string;
}

export interface Picture {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const MARGIN = 40;
const LANE_HEAD = 28;
const UI = "'Inter Variable', Inter, 'Segoe UI', Arial, sans-serif";
const MONO = "'JetBrains Mono Variable', 'JetBrains Mono', Consolas, monospace";

export function pictureOf(catalog: Catalog, doc: ModelDoc, checks: Checks, paint: Paint): Picture {
  const scene = { doc, catalog, checks };
  const hidden = groupTree(doc).hiddenBy;
  const nodes = [...nodeLooks(scene).values()].filter((look) => !hidden.has(look.node.id));
  const drawn = drawnBoxes(catalog, doc);
  const boxes = nodes.map((look) => boxOf(catalog, doc, look.node.id)).filter((box) => box !== null);
  const around = hull([...boxes, ...drawn.values()]) ?? { x: 0, y: 0, width: 200, height: 80 };
  const frame = {
    x: around.x - MARGIN,
    y: around.y - MARGIN - LANE_HEAD,
    width: around.width + 2 * MARGIN,
    height: around.height + 2 * MARGIN + LANE_HEAD,
  };
  const draw = new Drawing(scene, paint);
  const parts = [
    rect(frame, { fill: paint.colour('--canvas') }),
    draw.lanes(frame),
    ...doc.groups.map((group) => draw.group(group.title, group.collapsed, drawn.get(group.id))),
    ...[...wireLooks(scene).values()].map((look) => draw.wire(look, hidden)),
    ...doc.notes.map((note) => draw.note(note.text, drawn.get(note.id))),
    ...nodes.map((look) => draw.layer(look)),
    ...[...wireLooks(scene).values()].map((look) => draw.shape(look, hidden)),
  ];
  const { x, y, width, height } = frame;
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" role="img">`,
    `<title>${escaped(`A model of ${doc.nodes.length} layers`)}</title>`,
    `<style>${paint.fonts}text{font-family:${UI};font-size:12px;fill:${paint.colour('--text')}}.m{font-family:${MONO};font-size:11px}.s{font-size:11px;fill:${paint.colour('--text-3')}}.b{font-weight:600}</style>`,
    ...parts,
    '</svg>',
  ].join('\n');
  return { text, width, height };
}

class Drawing {
  private readonly catalog: Catalog;
  private readonly doc: ModelDoc;
  private readonly looks: ReadonlyMap<string, NodeLook>;

  constructor(
    scene: Scene,
    private readonly paint: Paint,
  ) {
    this.catalog = scene.catalog;
    this.doc = scene.doc;
    this.looks = nodeLooks(scene);
  }

  lanes(frame: Box): string {
    const at = new Map(
      Object.entries(this.doc.layout).map(([id, place]) => [id, { x: place.x, width: NODE_WIDTH }]),
    );
    const lanes = lanesOf(hopsOf(this.doc, neighbourReaders(this.catalog)), at);
    return lanes
      .map((lane, i) => {
        const from = i === 0 ? frame.x : lane.from;
        const to = i === lanes.length - 1 ? frame.x + frame.width : lane.to;
        const box = { x: from, y: frame.y, width: Math.max(0, to - from), height: frame.height };
        const tint = i % 2 === 1 ? rect(box, { fill: this.paint.colour('--lane') }) : '';
        return tint + words(lane.label, from + 12, frame.y + 18, 's b', to - from - 16);
      })
      .join('');
  }

  group(title: string, folded: boolean, box: Box | undefined): string {
    if (!box) return '';
    const fill = folded ? this.paint.colour('--surface') : this.paint.colour('--inset');
    const look = { rx: 8, fill, stroke: this.paint.colour('--border-strong') };
    return (
      rect(box, folded ? look : { ...look, 'stroke-dasharray': '4 3', 'fill-opacity': 0.6 }) +
      words(title || 'Group', box.x + 14, box.y + 21, 'b', box.width - 24)
    );
  }

  note(text: string, box: Box | undefined): string {
    if (!box) return '';
    const lines = wrapped(text, Math.max(8, Math.floor((box.width - 20) / 6.2))).slice(
      0,
      Math.floor((box.height - 10) / 18),
    );
    const stroke = this.paint.colour('--warn');
    return (
      rect(box, { rx: 6, fill: this.paint.colour('--warn-soft'), stroke }) +
      lines.map((line, i) => words(line, box.x + 10, box.y + 21 + 18 * i, '', box.width - 16)).join('')
    );
  }

  layer(look: NodeLook): string {
    const box = boxOf(this.catalog, this.doc, look.node.id);
    if (!box) return '';
    const { colour } = this.paint;
    const wrong = look.problems.some((problem) => problem.severity === 'error');
    const stroke = colour(wrong ? '--err' : '--border-strong');
    const rows = Math.max(1, look.inputs.length, look.outputs.length);
    const value = look.unary ? summary(look.layer, look.node, 1) : '';
    const foot = look.unary || !look.layer ? '' : summary(look.layer, look.node, 2);
    // Between layers that snap there is a short line in place of ports, as on the canvas.
    const above = wiresOf(this.doc, look.node.id).some(
      (wire) => wire.target.node === look.node.id && this.snaps(wire),
    );
    const below = wiresOf(this.doc, look.node.id).some(
      (wire) => wire.source.node === look.node.id && this.snaps(wire),
    );
    const head = { ...box, height: HEAD - 2 };
    return [
      rect(box, {
        rx: 6,
        fill: colour('--surface'),
        stroke,
        ...(look.layer ? {} : { 'stroke-dasharray': '4 3' }),
      }),
      look.unary
        ? ''
        : rect(
            { ...head, x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1 },
            { rx: 5, fill: colour('--inset') },
          ),
      words(look.title, box.x + 12, box.y + 22, 'b', box.width - 20 - 7 * value.length),
      value &&
        `<text class="m" x="${box.x + box.width - 12}" y="${box.y + 22}" text-anchor="end">${escaped(value)}</text>`,
      foot && words(foot, box.x + 12, box.y + HEAD + ROW * rows + FOOT / 2 + 2, 's', box.width - 24),
      ...(above ? [] : look.inputs.map((port, i) => this.port(port, box, look.unary ? null : i, 'input'))),
      ...(below ? [] : look.outputs.map((port, i) => this.port(port, box, look.unary ? null : i, 'output'))),
    ].join('');
  }

  port(port: PortInfo, box: Box, row: number | null, side: 'input' | 'output'): string {
    const x = side === 'input' ? box.x : box.x + box.width;
    const y = box.y + portTop(row);
    const at = side === 'input' ? `x="${x + 12}"` : `x="${x - 12}" text-anchor="end"`;
    const name = row === null ? '' : `<text class="s" ${at} y="${y + 4}">${escaped(port.name)}</text>`;
    const { path, fill, stroke } = glyphOf(port.kind);
    const ring = stroke ? ` stroke="${this.resolved(stroke)}" stroke-width="1.6"` : '';
    return `<path transform="translate(${x - 6} ${y - 6})" d="${path}" fill="${this.resolved(fill)}"${ring}/>${name}`;
  }

  wire(look: WireLook, hidden: ReadonlyMap<string, string>): string {
    const line = this.line(look, hidden);
    if (!line) return '';
    const stroke = look.problem ? this.paint.colour('--err') : this.resolved(kindColour(look.kind));
    return `<path d="${line.path}" fill="none" stroke="${stroke}" stroke-width="2"/>`;
  }

  /** The shape on a wire, over everything. */
  shape(look: WireLook, hidden: ReadonlyMap<string, string>): string {
    const line = this.line(look, hidden);
    if (!line || line.spine || !look.type || line.length < 40) return '';
    const text = shapeText(look.type);
    const width = text.length * 6.7 + 8;
    const box = { x: line.x - width / 2, y: line.y - 9, width, height: 18 };
    return (
      rect(box, { rx: 4, fill: this.paint.colour('--canvas') }) +
      `<text class="m" x="${line.x}" y="${line.y + 4}" text-anchor="middle">${escaped(text)}</text>`
    );
  }

  private line({ wire }: WireLook, hidden: ReadonlyMap<string, string>) {
    const [a, b] = [
      this.end(wire.source.node, wire.source.port, 'output', hidden),
      this.end(wire.target.node, wire.target.port, 'input', hidden),
    ];
    if (!a || !b || a.box === b.box) return null;
    if (
      !hidden.has(wire.source.node) &&
      !hidden.has(wire.target.node) &&
      isSnapped(this.catalog, this.doc, wire.source.node, wire.target.node)
    ) {
      const x = a.box.x + a.box.width / 2;
      return { path: `M${x} ${a.box.y + a.box.height}L${x} ${b.box.y}`, x, y: 0, length: 0, spine: true };
    }
    const bend = Math.max(24, Math.abs(b.x - a.x) / 2);
    const path = `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`;
    return { path, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, length: b.x - a.x, spine: false };
  }

  /** Where a wire ends: at its port, or at the folded group that stands for the layer. */
  private end(id: string, port: string, side: 'input' | 'output', hidden: ReadonlyMap<string, string>) {
    const group = hidden.get(id);
    const box = boxOf(this.catalog, this.doc, group ?? id);
    const node = findNode(this.doc, id);
    if (!box || !node) return null;
    const x = side === 'input' ? box.x : box.x + box.width;
    if (group) return { box, x, y: box.y + HEAD / 2 };
    const look = this.looks.get(id);
    const ports = (side === 'input' ? look?.inputs : look?.outputs) ?? [];
    const row = Math.max(
      0,
      ports.findIndex((one) => one.name === port),
    );
    return { box, x, y: box.y + portTop(look?.unary ? null : row) };
  }

  private snaps(wire: Wire): boolean {
    return isSnapped(this.catalog, this.doc, wire.source.node, wire.target.node);
  }

  private resolved(colour: string): string {
    const name = /^var\((--[\w-]+)\)$/.exec(colour)?.[1];
    return name ? this.paint.colour(name) : colour;
  }
}

type Attributes = Readonly<Record<string, string | number>>;

function rect({ x, y, width, height }: Box, more: Attributes): string {
  const attributes = Object.entries({ x, y, width, height, ...more });
  return `<rect ${attributes.map(([name, value]) => `${name}="${value}"`).join(' ')}/>`;
}

/** About as many letters as fit into `width`; what is cut ends in an ellipsis, as on the canvas. */
function words(text: string, x: number, y: number, kind: string, width: number): string {
  const most = Math.max(1, Math.floor(width / (kind.startsWith('s') ? 5.4 : 6.3)));
  const shown = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return `<text${kind && ` class="${kind}"`} x="${x}" y="${y}">${escaped(shown)}</text>`;
}

function wrapped(text: string, most: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const joined = `${lines.at(-1)} ${word}`.trim();
      if (joined.length <= most) lines[lines.length - 1] = joined;
      else lines.push(word.slice(0, most));
    }
    return lines;
  });
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  // Signs that XML has no way to write are left out.
  return text
    .replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? '')
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}
