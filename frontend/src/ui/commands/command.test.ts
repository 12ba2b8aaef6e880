// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { type Command, commandFor, keyName, keyText } from './command';

const press = (key: string, more: Partial<KeyboardEventInit> = {}) =>
  new KeyboardEvent('keydown', { key, ...more });

describe('keys of commands', () => {
  it('are named by what they write, whatever keyboard wrote it', () => {
    expect(keyName(press('Z', { ctrlKey: true, shiftKey: true }))).toBe('mod shift z');
    expect(keyName(press('z', { metaKey: true }))).toBe('mod z');
    expect(keyName(press('/', { shiftKey: true }))).toBe('/');
    expect(keyName(press('?', { shiftKey: true }))).toBe('?');
    expect(keyName(press('ArrowUp', { shiftKey: true }))).toBe('shift arrowup');
    expect(keyText('mod shift z')).toBe('Ctrl Shift Z');
  });

  it('belong to what came last on the page, and to nothing while it would do nothing', () => {
    const done: string[] = [];
    const says = (title: string, enabled = true): Command => ({
      title,
      group: '',
      keys: ['a'],
      run: () => done.push(title),
      enabled: () => enabled,
    });
    commandFor(press('a'), [[says('outer')], [says('inner')]])?.run?.();
    commandFor(press('a'), [[says('outer')], [says('inner', false)]])?.run?.();
    expect(done).toEqual(['inner', 'outer']);
    expect(commandFor(press('b'), [[says('outer')]])).toBeUndefined();
  });
});
