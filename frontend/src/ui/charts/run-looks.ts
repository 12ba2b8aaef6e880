import type { SeriesLook } from './series-plot';

type LineLook = Pick<SeriesLook, 'color' | 'dash'>;

const COLORS = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'] as const;
// Colours that red-green blindness makes one (2, 4 and 7; 1 and 5; 6 and 8) never have the same dashes in one round.
const FIRST_DASH = [0, 0, 0, 1, 1, 0, 2, 1] as const;
const DASHES: readonly (readonly number[] | undefined)[] = [
  undefined,
  [7, 4],
  [2, 3],
  [12, 3, 2, 3],
  [12, 3],
  [4, 2, 1, 2],
  [7, 2, 2, 2, 2, 2],
  [1, 2],
  [16, 6],
  [12, 2, 5, 2],
  [3, 6],
  [20, 3, 2, 3, 2, 3],
  [9, 9],
];
const STEP = 3;

/** How many looks there are; no two are the same. */
export const LOOKS = COLORS.length * DASHES.length;

/** The look of a place: the eight colours first, then the eight again with other dashes. */
export function lookOf(place: number): LineLook {
  const color = place % COLORS.length;
  const round = Math.floor(place / COLORS.length) % DASHES.length;
  return { color: COLORS[color]!, dash: DASHES[(STEP * round + FIRST_DASH[color]!) % DASHES.length] };
}

/**
 * A place for each run: the wanted one where it is still free, else the first free one. Runs keep theirs when others
 * come or go, and none is given twice.
 */
export function placesOf(
  runs: readonly string[],
  wanted: (run: string, index: number) => number | undefined,
): number[] {
  const taken = new Set<number>();
  const kept = runs.map((run, i) => {
    const place = wanted(run, i);
    if (place === undefined || !(place >= 0 && place < LOOKS) || taken.has(place)) return null;
    taken.add(place);
    return place;
  });
  let next = 0;
  return kept.map((place) => {
    if (place !== null) return place;
    while (taken.has(next)) next++;
    taken.add(next);
    return next;
  });
}

/** Gives a run another look; the run that had it gets the old one. */
export function exchange(places: readonly number[], index: number, place: number): number[] {
  return places.map((p, i) => (i === index ? place : p === place ? places[index]! : p));
}
