import { describe, expect, it } from 'vitest';
import { chartId, readViews, writeViews, zoomBy } from './chart-view';

describe('D16: the views of charts in an address', () => {
  it('come back as they were written, whatever the names hold', () => {
    const views = {
      loss: { zoom: [10, 200.5], hidden: ['val_loss', 'a;b!c=d'] },
      'a=1;b': { zoom: null, hidden: ['x'] },
      time: { zoom: [-2e-7, 1e9], hidden: [] },
    } as const;
    expect(readViews(writeViews(views))).toEqual(views);
  });

  it('leave out charts seen whole', () => {
    expect(writeViews({ loss: { zoom: null, hidden: [] } })).toBe('');
  });

  it('pass over what nobody wrote', () => {
    expect(readViews('loss=9..3;=1..2;x=1..;y=NaN..2;%E0%A4%A=1..2;z!')).toEqual({});
    expect(readViews(undefined)).toEqual({});
  });

  it('name a chart by its title', () => {
    expect(chartId(' Epoch time (ms) ')).toBe('epoch-time-ms');
  });
});

describe('zooming by keys', () => {
  it('narrows and moves inside the whole, and is over when all is seen', () => {
    expect(zoomBy([0, 100], [0, 100], { scale: 0.5 })).toEqual([25, 75]);
    expect(zoomBy([25, 75], [0, 100], { shift: 0.9 })).toEqual([50, 100]);
    expect(zoomBy([25, 75], [0, 100], { scale: 2 })).toBeNull();
  });
});
