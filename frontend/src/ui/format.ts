// Numbers and times as people read them. Units are always shown; exact values belong in tooltips.

const NONE = '–';
const MINUS = '−';

// Making a format takes much longer than using it, and live pages write numbers all the time.
const formats: Intl.NumberFormat[] = [];
const MOST_DIGITS = 6;

function formatOf(digits: number): Intl.NumberFormat {
  formats[digits] ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: digits });
  return formats[digits];
}

const THOUSANDS = /\B(?=(\d{3})+$)/g;

/** 12345 → "12,345". Whole numbers stand on every page, and the first format takes a tenth of a second of a slow CPU. */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined) return NONE;
  return Number.isSafeInteger(value) && value >= 0
    ? String(value).replace(THOUSANDS, ',')
    : formatOf(0).format(value);
}

/** 1 → "1 line", 3 → "3 lines". */
export function plural(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`;
}

/** Four significant digits, without exponents for everyday sizes: 0.4521, 12.35, 1.2e-7. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined) return NONE;
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : `${MINUS}∞`;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return value.toExponential(Math.max(0, digits - 3));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return formatOf(Math.min(decimals, MOST_DIGITS)).format(value);
}

/** A share as "92.1 %". */
export function percent(ratio: number | null | undefined, digits = 1): string {
  return ratio === null || ratio === undefined || !Number.isFinite(ratio)
    ? NONE
    : `${(ratio * 100).toFixed(digits)} %`;
}

const TIME_UNITS: readonly [number, string][] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
];

/** A measured time in the unit that suits it: 0.0582 → "58.2 ms". */
export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (value === 0) return '0 s';
  const [scale, unit] = TIME_UNITS.find(([scale]) => Math.abs(value) >= scale) ?? TIME_UNITS.at(-1)!;
  return `${number(value / scale, 3)} ${unit}`;
}

/** A length of time that people wait: 75 → "1 min 15 s". */
export function duration(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (value < 10) return `${value.toFixed(1)} s`;
  const total = Math.round(value);
  if (total < 60) return `${total} s`;
  if (total < 3600) return total % 60 ? `${Math.floor(total / 60)} min ${total % 60} s` : `${total / 60} min`;
  const minutes = Math.round((total % 3600) / 60);
  return minutes ? `${Math.floor(total / 3600)} h ${minutes} min` : `${Math.floor(total / 3600)} h`;
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= 1024 && unit < BYTE_UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : number(size, 3)} ${BYTE_UNITS[unit]}`;
}

const AGES: readonly [number, number, string][] = [
  [60, 1, 's'],
  [3600, 60, 'min'],
  [86_400, 3600, 'h'],
  [Number.POSITIVE_INFINITY, 86_400, 'd'],
];

/** How long ago something was: "now", "37 s", "4 min", "2 h", "3 d". */
export function age(since: string | null | undefined, now: number): string {
  if (!since) return NONE;
  const passed = Math.max(0, (now - Date.parse(since)) / 1000);
  if (passed < 2) return 'now';
  const [, size, unit] = AGES.find(([limit]) => passed < limit)!;
  return `${Math.floor(passed / size)} ${unit}`;
}

/** Local time of day, to the second or the millisecond. */
export function clock(at: string, millis = false): string {
  const date = new Date(at);
  const pad = (value: number, width = 2) => String(value).padStart(width, '0');
  const base = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return millis ? `${base}.${pad(date.getMilliseconds(), 3)}` : base;
}

/** Axis labels: 1500 → "1.5k", 0.25 → "0.25". */
export function si(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${number(value / 1e9, 3)}G`;
  if (size >= 1e6) return `${number(value / 1e6, 3)}M`;
  if (size >= 1e4) return `${number(value / 1e3, 3)}k`;
  return number(value, 3);
}

/** snake_case and camelCase names as words: "val_loss" → "val loss". */
export function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

export function sentence(name: string): string {
  const text = words(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The end of an IRI, as people call it; other names stay. */
export function shortName(name: string): string {
  return name.includes('://') ? `…${name.split(/[/#]/).at(-1) || name}` : name;
}
