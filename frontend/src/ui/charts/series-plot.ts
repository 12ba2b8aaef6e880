import uPlot from 'uplot';
import { number, si } from '@/ui/format';
import { token } from '@/ui/theme';
import { type ChartView, zoomBy } from './chart-view';
import { condense, type Rows } from './condense';
import { placeAtEnds } from './place-labels';
import type { SeriesBuffer } from './series-buffer';

export interface SeriesLook {
  key: string;
  label: string;
  /** Name of a design token, such as `--c1`. */
  color: string;
  /** True for the usual dashes, or lengths of dash and gap. */
  dash?: boolean | readonly number[];
  /** Drawn stronger than the others. */
  strong?: boolean;
}

interface PlotOptions {
  series: readonly SeriesLook[];
  xMax: number | null;
  yMin?: number;
  yMax?: number;
  height: number;
  xLabel: string;
  /** The x axis is a measure, such as seconds, drawn as its logarithm, and each line has points of its own. */
  continuous?: boolean;
  /** The part of the x axis in view, and the lines put away, to begin with. */
  view: ChartView;
  /** The reader looked at a part, or at the whole again. */
  onZoom: (zoom: readonly [number, number] | null) => void;
  /** A new picture was drawn. */
  onDraw?: () => void;
}

interface End {
  look: SeriesLook;
  last: { step: number; value: number };
}

const FONT = '11px "Inter Variable", Inter, sans-serif';
const BOLD = '600 11px "Inter Variable", Inter, sans-serif';
const LABEL_SPACE = 92;
const LABEL_HEIGHT = 14;
const LABEL_GAP = 8;
const MOST_LABEL_SPACE = 170;
const LETTER = 6.5;
const FIGURE = 46;
const NARROW = 520;
const WIDTH = 400;
// More lines than these are told apart by the legend and the pointer: names at their ends would hide them.
const MOST_LABELS = 6;
const MOST_TIPS = 8;
// Four pictures a second are enough for the eye and leave the main thread to the reader; many charts share it.
const REDRAW_MS = 250;
const PICTURE_MS = 130;
const LONGEST_MS = 1000;
const inView = new Set<SeriesPlot>();
// All charts that have something new are drawn in one picture: eight pictures of one chart each cost more than one of eight.
const waiting = new Set<SeriesPlot>();
let drawnAt = 0;
let coming = false;

function drawTogether(): void {
  if (coming) return;
  coming = true;
  const pause = Math.min(LONGEST_MS, Math.max(REDRAW_MS, PICTURE_MS * inView.size));
  const wait = Math.max(0, drawnAt + pause - performance.now());
  setTimeout(() => requestAnimationFrame(drawWaiting), wait);
}

function drawWaiting(): void {
  coming = false;
  drawnAt = performance.now();
  for (const plot of [...waiting]) plot.draw();
}

/**
 * uPlot with our looks: draws what the buffer holds, at most once per frame and only while it is in view, and never
 * touches a zoom the user made.
 */
export class SeriesPlot {
  private readonly plot: uPlot;
  private readonly tip: HTMLDivElement;
  private readonly observer: ResizeObserver | null;
  private readonly unsubscribe: () => void;
  private view: ChartView;
  private rows: Rows = { xs: [], columns: [] };
  private behind = false;
  private destroyed = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly buffer: SeriesBuffer,
    private readonly options: PlotOptions,
  ) {
    this.view = options.view;
    this.tip = Object.assign(document.createElement('div'), { className: 'series-tip', hidden: true });
    this.plot = new uPlot(this.settings(), this.data(), host);
    this.plot.over.append(this.tip);
    this.plot.over.addEventListener('dblclick', () => {
      options.onZoom(null);
      this.draw();
    });
    this.unsubscribe = buffer.subscribe(() => this.drawSoon());
    this.observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(() => this.fit());
    this.observer?.observe(host);
  }

  destroy(): void {
    inView.delete(this);
    waiting.delete(this);
    this.destroyed = true;
    this.unsubscribe();
    this.observer?.disconnect();
    this.plot.destroy();
  }

  /** Points that come while the chart is out of view are drawn when it is back. */
  setInView(seen: boolean): void {
    if (seen) inView.add(this);
    else inView.delete(this);
    if (seen && this.behind) this.draw();
  }

  /** Shows a part of the x axis and puts lines away. */
  show(view: ChartView): void {
    this.view = view;
    this.options.series.forEach(({ key }, i) => {
      const show = !view.hidden.includes(key);
      if (this.plot.series[i + 1]!.show !== show) this.plot.setSeries(i + 1, { show });
    });
    this.draw();
  }

  /** Zooms and moves in steps, for keys and buttons. */
  step(how: { scale?: number; shift?: number }): void {
    const { min, max } = this.xRange();
    const whole = [min, max] as const;
    this.options.onZoom(zoomBy(this.view.zoom ?? whole, whole, how));
  }

  /** The chart as it stands, on the page's background. */
  png(): Promise<Blob | null> {
    const source = this.plot.ctx.canvas;
    const canvas = Object.assign(document.createElement('canvas'), {
      width: source.width,
      height: source.height,
    });
    const ctx = canvas.getContext('2d')!;
    ctx.fillStyle = token('--surface');
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(source, 0, 0);
    return new Promise((resolve) => canvas.toBlob(resolve));
  }

  private fit(): void {
    const width = this.host.clientWidth;
    if (width <= 0 || width === this.plot.width) return;
    this.plot.setSize({ width, height: this.options.height });
    this.drawSoon();
  }

  private drawSoon(): void {
    this.behind = true;
    if (!inView.has(this)) return;
    waiting.add(this);
    drawTogether();
  }

  draw(): void {
    if (this.destroyed) return;
    waiting.delete(this);
    this.behind = false;
    this.plot.batch(() => {
      this.plot.setData(this.data(), false);
      this.scale();
    });
    this.options.onDraw?.();
  }

  private scale(): void {
    const { zoom } = this.view;
    this.plot.setScale('x', zoom ? { min: zoom[0], max: zoom[1] } : this.xRange());
    this.plot.setScale('y', { min: null as unknown as number, max: null as unknown as number });
  }

  /** Lines in view. */
  private shown(): SeriesLook[] {
    return this.options.series.filter(({ key }) => !this.view.hidden.includes(key));
  }

  /** The rows that show: on a logarithmic axis all, else no more than there are pixels for. */
  private data(): uPlot.AlignedData {
    const columns = this.options.series.map((s) => this.buffer.column(s.key));
    const { min, max } = this.xRange();
    const range = this.view.zoom ?? [min, max];
    const all = { xs: this.buffer.xs, columns };
    const pixels = (this.host.clientWidth || WIDTH) * (devicePixelRatio || 1);
    this.rows = this.options.continuous ? all : condense(all, range, pixels);
    return [this.rows.xs as number[], ...(this.rows.columns as (number | null)[][])];
  }

  private xRange(): { min: number; max: number } {
    const xs = this.buffer.xs;
    const min = Math.min(xs[0] ?? 0, this.options.xMax === null ? Number.POSITIVE_INFINITY : 0);
    const max = Math.max(xs.at(-1) ?? 1, this.options.xMax ?? 0);
    return max > min ? { min, max } : { min: min - 0.5, max: min + 0.5 };
  }

  private yRange(low: number | null, high: number | null): [number, number] {
    const min = this.options.yMin ?? low ?? 0;
    const max = this.options.yMax ?? high ?? 1;
    if (max > min) return [this.options.yMin ?? min - (max - min) * 0.04, max + (max - min) * 0.04];
    return [min - Math.abs(min || 1) * 0.5, min + Math.abs(min || 1) * 0.5];
  }

  private settings(): uPlot.Options {
    const axis = { stroke: token('--text-3'), font: FONT, ticks: { show: false } };
    const grid = { stroke: token('--grid'), width: 1 };
    return {
      width: this.host.clientWidth || WIDTH,
      height: this.options.height,
      padding: [10, this.labelSpace(), 0, 4],
      legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false, dist: 6 } },
      scales: {
        x: {
          time: false,
          range: (_, min, max) => [min, max],
          ...(this.options.continuous ? { distr: 3 } : {}),
        },
        y: { range: (_, low, high) => this.yRange(low, high) },
      },
      axes: [
        {
          ...axis,
          size: 26,
          gap: 4,
          grid: { show: false },
          values: (_, ticks) =>
            ticks.map((t) => (t !== null && (this.options.continuous || Number.isInteger(t)) ? si(t) : '')),
        },
        { ...axis, size: 44, gap: 6, space: 44, grid, values: (_, ticks) => ticks.map((t) => si(t)) },
      ],
      series: [{}, ...this.options.series.map((s) => lineOf(s, !this.view.hidden.includes(s.key)))],
      hooks: {
        ready: [() => this.plotReady()],
        setSelect: [(plot) => this.noteZoom(plot)],
        draw: [(plot) => this.drawEnds(plot)],
        setCursor: [(plot) => this.moveTip(plot)],
      },
    };
  }

  /** Room beside the plot for the names at the lines' ends; on a phone the figures must do. */
  private labelSpace(): number {
    const { series } = this.options;
    if (series.length > MOST_LABELS) return 12;
    const longest = Math.max(0, ...series.map((look) => look.label.length)) * LETTER + FIGURE;
    if (longest <= LABEL_SPACE) return LABEL_SPACE;
    return this.host.clientWidth < NARROW ? FIGURE + 10 : Math.min(MOST_LABEL_SPACE, longest);
  }

  private plotReady(): void {
    queueMicrotask(() => this.draw());
  }

  private noteZoom(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width <= 0) return;
    const [low, high] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')].map(short);
    if (low! < high!) this.options.onZoom([low!, high!]);
  }

  /** "now" as a dotted line, and each line's name and value at its end. */
  private drawEnds(plot: uPlot): void {
    const { ctx } = plot;
    const ends = this.shown().flatMap((look) => {
      const last = this.buffer.last(look.key);
      return last ? [{ look, last }] : [];
    });
    if (ends.length === 0) return;
    ctx.save();
    const newest = Math.max(...ends.map((e) => e.last.step));
    const x = Math.min(plot.valToPos(newest, 'x', true), plot.bbox.left + plot.bbox.width);
    if (newest < this.xRange().max && !this.options.continuous) drawNow(plot, x);
    if (this.options.series.length <= MOST_LABELS) this.drawLabels(plot, ends, x);
    ctx.restore();
  }

  private drawLabels(plot: uPlot, ends: readonly End[], x: number): void {
    const { ctx } = plot;
    const ratio = devicePixelRatio || 1;
    ctx.font = BOLD.replace('11px', `${11 * ratio}px`);
    ctx.setLineDash([]);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    const room = (this.labelSpace() - 10) * ratio;
    const lines = ends.map(({ look, last }) => {
      const figure = number(last.value, 3);
      const named = `${look.label} ${figure}`;
      const text = ctx.measureText(named).width > room ? figure : named;
      const at = Math.min(plot.valToPos(last.step, 'x', true), x);
      const y = plot.valToPos(last.value, 'y', true);
      return { text, x: at, y, width: ctx.measureText(text).width, color: token(look.color) };
    });
    const { top, height } = plot.bbox;
    const places = placeAtEnds(lines, LABEL_GAP * ratio, LABEL_HEIGHT * ratio, top, top + height);
    lines.forEach((line, i) => {
      dot(ctx, line.x, line.y, ratio, line.color);
      label(ctx, line.text, places[i]!.x, places[i]!.y, ratio);
    });
  }

  /** A line's value at a drawn row; where lines have rows of their own, its newest before that while it lasts. */
  private valueAt(key: string, row: number): number | null {
    const column = this.rows.columns[this.options.series.findIndex((s) => s.key === key)]!;
    if (!this.options.continuous) return column[row] ?? null;
    if (this.rows.xs[row]! > (this.buffer.last(key)?.step ?? Number.NEGATIVE_INFINITY)) return null;
    for (let i = row; i >= 0; i--) if (column[i] !== null) return column[i]!;
    return null;
  }

  private moveTip(plot: uPlot): void {
    const index = plot.cursor.idx;
    const left = plot.cursor.left ?? -1;
    this.tip.hidden = index === null || index === undefined || left < 0;
    if (this.tip.hidden) return;
    const found = this.shown().flatMap((look) => {
      const value = this.valueAt(look.key, index!);
      return value === null ? [] : [{ look, value }];
    });
    const rows = nearest(plot, found).map(({ look, value }) => tipRow(look, value));
    if (rows.length < found.length) rows.push(moreRow(found.length - rows.length));
    const head = document.createElement('div');
    const x = this.rows.xs[index!]!;
    head.textContent = `${this.options.xLabel} ${this.options.continuous ? number(x, 3) : x}`;
    this.tip.replaceChildren(head, ...rows);
    const right = left < plot.over.clientWidth / 2;
    this.tip.style.left = right ? `${left + 12}px` : '';
    this.tip.style.right = right ? '' : `${plot.over.clientWidth - left + 12}px`;
    this.tip.style.top = '8px';
  }
}

const DASHES = [4, 3];

function lineOf(look: SeriesLook, show: boolean): uPlot.Series {
  const line: uPlot.Series = {
    label: look.label,
    stroke: token(look.color),
    width: look.strong ? 3 : 1.75,
    spanGaps: true,
    show,
    points: { show: false },
  };
  return look.dash ? { ...line, dash: look.dash === true ? DASHES : [...look.dash] } : line;
}

/** Ends of a zoom without digits nobody aimed at: they go into the address. */
function short(value: number): number {
  return Number(value.toPrecision(6));
}

/** Of very many lines those nearest to the pointer. */
function nearest<T extends { value: number }>(plot: uPlot, found: readonly T[]): readonly T[] {
  if (found.length <= MOST_TIPS) return found;
  const top = plot.cursor.top ?? 0;
  const far = (value: number) => Math.abs(plot.valToPos(value, 'y') - top);
  return [...found].sort((a, b) => far(a.value) - far(b.value)).slice(0, MOST_TIPS);
}

function moreRow(count: number): HTMLElement {
  return Object.assign(document.createElement('div'), { textContent: `and ${count} more` });
}

function drawNow(plot: uPlot, x: number): void {
  const { ctx, bbox } = plot;
  ctx.strokeStyle = token('--border-strong');
  ctx.lineWidth = devicePixelRatio || 1;
  ctx.setLineDash([3 * ctx.lineWidth, 3 * ctx.lineWidth]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
}

function dot(ctx: CanvasRenderingContext2D, x: number, y: number, ratio: number, color: string): void {
  ctx.beginPath();
  ctx.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI);
  ctx.fillStyle = color;
  ctx.fill();
  ctx.strokeStyle = token('--surface');
  ctx.lineWidth = 1.5 * ratio;
  ctx.stroke();
}

/** Text with a halo of the background, so it reads over lines. */
function label(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, ratio: number): void {
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * ratio;
  ctx.strokeStyle = token('--surface');
  ctx.strokeText(text, x, y);
  ctx.fillStyle = token('--text');
  ctx.fillText(text, x, y);
}

function tipRow(look: SeriesLook, value: number): HTMLElement {
  const row = document.createElement('div');
  const mark = document.createElement('i');
  mark.style.background = `var(${look.color})`;
  const figure = document.createElement('b');
  figure.textContent = number(value, 5);
  row.append(mark, look.label, figure);
  return row;
}
