import { describe, expect, it } from 'vitest';
import { SeriesBuffer } from './series-buffer';

describe('a series buffer', () => {
  it('keeps points in step order, whatever order they come in', () => {
    const buffer = new SeriesBuffer();
    buffer.add([
      { step: 2, values: { loss: 2 } },
      { step: 1, values: { loss: 1 } },
      { step: 3, values: { loss: 3 } },
    ]);
    expect([buffer.xs, buffer.column('loss')]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('takes the whole history after a part of it and the newest points', () => {
    const values = (step: number): Record<string, number> =>
      step % 3 === 0 ? { a: step, b: -step } : { a: step };
    const whole = Array.from({ length: 500 }, (_, step) => ({ step, values: values(step) }));
    const [late, once] = [new SeriesBuffer(), new SeriesBuffer()];
    late.add(whole.filter(({ step }) => step % 7 === 0));
    late.add(whole.slice(490));
    late.add(whole);
    once.add(whole);
    for (const name of ['a', 'b']) expect(late.column(name)).toEqual(once.column(name));
    expect(late.xs).toEqual(once.xs);
  });

  it('is not changed by a replay', () => {
    const buffer = new SeriesBuffer();
    const points = [{ step: 1, values: { loss: 1, acc: 0.5 } }];
    buffer.add(points);
    buffer.add(points);
    expect([buffer.length, buffer.column('acc')]).toEqual([1, [0.5]]);
  });

  it('draws a series that starts late, and values that are not finite, as gaps', () => {
    const buffer = new SeriesBuffer();
    buffer.add([{ step: 0, values: { a: 1 } }]);
    buffer.add([{ step: 1, values: { a: Number.NaN, b: 5 } }]);
    expect([buffer.column('a'), buffer.column('b'), buffer.column('none')]).toEqual([
      [1, null],
      [null, 5],
      [null, null],
    ]);
    expect(buffer.last('a')).toEqual({ step: 0, value: 1 });
  });

  it('drops the oldest points when full and counts them', () => {
    const buffer = new SeriesBuffer(3);
    buffer.add(Array.from({ length: 5 }, (_, step) => ({ step, values: { a: step } })));
    expect([buffer.xs, buffer.column('a'), buffer.dropped]).toEqual([[2, 3, 4], [2, 3, 4], 2]);
  });

  it('tells listeners once per batch', () => {
    const buffer = new SeriesBuffer();
    let calls = 0;
    buffer.subscribe(() => calls++);
    buffer.add([
      { step: 0, values: { a: 1 } },
      { step: 1, values: { a: 1 } },
    ]);
    expect(calls).toBe(1);
  });
});
