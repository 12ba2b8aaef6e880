const KEY = 'asterism.run-looks';
const MOST = 1000;

function read(): Map<string, number> {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}

let known: Map<string, number> | null = null;

/** The place a run's look had when it was last compared in this browser. */
export function knownPlace(run: string): number | undefined {
  known ??= read();
  return known.get(run);
}

/** Binds looks to runs for the next time. */
export function rememberPlaces(runs: readonly string[], places: readonly number[]): void {
  known ??= read();
  runs.forEach((run, i) => {
    known!.delete(run);
    known!.set(run, places[i]!);
  });
  known = new Map([...known].slice(-MOST));
  try {
    localStorage.setItem(KEY, JSON.stringify([...known]));
  } catch {
    // Storage may be switched off; looks then last as long as the page.
  }
}
