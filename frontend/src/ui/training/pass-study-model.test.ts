import { describe, expect, it } from 'vitest';
import { more, type PassRun, type PassStudy, passLabel, ranked, studyTable, worth } from './pass-study-model';

const run = (off: string, epoch_s: number | null, launches = 10): PassRun => ({
  off,
  changes: epoch_s !== null,
  note: '',
  figures:
    epoch_s === null ? null : { epoch_s, peak_memory_bytes: 100, launches, kept_bytes: 0, loss_apart: 1e-8 },
});

const STUDY: PassStudy = {
  epochs: 20,
  threads: 2,
  spread_s: 0.01,
  runs: [
    run('', 0.1),
    run('drop_dead', 0.105),
    run('fold_constants', null),
    run('fuse', 0.26, 65),
    run('all', 0.4),
  ],
};
const figures = (off: string) => STUDY.runs.find((r) => r.off === off)!.figures!;

describe('what each pass is worth', () => {
  it('is how much longer an epoch takes without it', () => {
    expect(worth(STUDY, figures('fuse'))).toBe('2.6× slower');
    expect(worth({ ...STUDY, spread_s: 0 }, { ...figures(''), epoch_s: 0.08 })).toBe('1.25× faster');
  });

  it('is not said where it is less than two equal runs differ', () => {
    expect(worth(STUDY, figures('drop_dead'))).toBe('within noise');
  });

  it('stands below the run it is measured by, what costs most first', () => {
    expect(ranked(STUDY).map((r) => r.off)).toEqual(['', 'all', 'fuse', 'drop_dead']);
  });

  it('says more and less of what is counted', () => {
    expect([more(65, 10, String), more(8, 10, String), more(10, 10, String)]).toEqual(['+55', '−2', '']);
    expect([passLabel(''), passLabel('fold_constants'), passLabel('all')]).toEqual([
      'All passes on',
      'fold constants off',
      'All passes off',
    ]);
  });

  it('is exported whole, passes that change nothing too', () => {
    const { head, rows } = studyTable(STUDY);
    expect(rows).toHaveLength(5);
    expect(rows[2]).toEqual(['fold_constants', 'false', null, null, null, null, null, '']);
    for (const row of rows) expect(row).toHaveLength(head.length);
  });
});
