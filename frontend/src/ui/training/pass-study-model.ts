import type { Schemas } from '@/api/types';
import type { TableData } from '@/ui/export/table-data';
import { number, words } from '@/ui/format';

export type PassStudy = Schemas['PassStudy'];
export type PassRun = PassStudy['runs'][number];
export type PassFigures = NonNullable<PassRun['figures']>;

/** What a row is about: no pass off, one of them, or all. */
export function passLabel(off: string): string {
  if (off === '') return 'All passes on';
  return off === 'all' ? 'All passes off' : `${words(off)} off`;
}

/** The run with all passes on; null where it failed. */
export function usualOf(study: PassStudy): PassFigures | null {
  return study.runs.find((run) => run.off === '')?.figures ?? null;
}

/** Runs with figures, with the one by which the others are measured first and the rest by the time they take. */
export function ranked(study: PassStudy): PassRun[] {
  const ran = study.runs.filter((run) => run.figures !== null);
  const time = (run: PassRun) => (run.off === '' ? Number.POSITIVE_INFINITY : run.figures!.epoch_s);
  return ran.sort((a, b) => time(b) - time(a));
}

/** What the pass saves of an epoch's time, "2.6×" or "8 % faster without"; less than two equal runs differ is noise. */
export function worth(study: PassStudy, figures: PassFigures): string {
  const usual = usualOf(study);
  if (!usual || usual.epoch_s <= 0) return '';
  if (Math.abs(figures.epoch_s - usual.epoch_s) <= study.spread_s) return 'within noise';
  const ratio = figures.epoch_s / usual.epoch_s;
  return ratio >= 1 ? `${number(ratio, 3)}× slower` : `${number(1 / ratio, 3)}× faster`;
}

/** "+12" more than with all passes on, as `text` writes it; empty where it is the same. */
export function more(value: number, usual: number | undefined, text: (value: number) => string): string {
  if (usual === undefined || value === usual) return '';
  return `${value > usual ? '+' : '−'}${text(Math.abs(value - usual))}`;
}

const HEAD = [
  'off',
  'changes',
  'epoch_s',
  'peak_memory_bytes',
  'launches',
  'kept_bytes',
  'loss_apart',
  'note',
];

export function studyTable(study: PassStudy): TableData {
  return {
    head: HEAD,
    rows: study.runs.map(({ off, changes, figures: f, note }) => [
      off || 'none',
      String(changes),
      ...(f ? [f.epoch_s, f.peak_memory_bytes, f.launches, f.kept_bytes, f.loss_apart] : Array(5).fill(null)),
      note,
    ]),
  };
}
