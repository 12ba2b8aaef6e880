// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { NO_CHECKS } from '../model/checks';
import { EMPTY_DOC, type ModelDoc } from '../model/document';
import { catalog, chain, docOf, node } from '../model/fixture';
import { randomDoc } from '../model/random-doc';
import { pictureOf } from './svg';

const paint = { colour: (name: string) => `rgb(1 2 ${name.length})`, fonts: '' };

function drawn(doc: ModelDoc): Document {
  const { text } = pictureOf(catalog, doc, NO_CHECKS, paint);
  return new DOMParser().parseFromString(text, 'image/svg+xml');
}

const texts = (svg: Document) => [...svg.querySelectorAll('text')].map((one) => one.textContent);

describe('a picture of the model', () => {
  it('has every layer, port and wire, and stands alone', () => {
    const svg = drawn(chain);
    for (const title of ['Input', 'Linear', 'Output', 'h', 'x']) expect(texts(svg)).toContain(title);
    expect(svg.querySelectorAll('path[fill="none"]')).toHaveLength(2);
    expect(svg.documentElement.outerHTML).not.toMatch(/var\(|url\(|href/);
  });

  it('holds what is far away, and nothing of a folded group', () => {
    const far = docOf([node('input'), node('linear')], ['input.h>linear.x']);
    const wide = { ...far, layout: { ...far.layout, linear: { x: 9000, y: 4000 } } };
    const { width, height } = pictureOf(catalog, wide, NO_CHECKS, paint);
    expect(width).toBeGreaterThan(9000);
    expect(height).toBeGreaterThan(4000);
    const group = { id: 'g', title: 'Inside', members: ['linear'], collapsed: true };
    const names = texts(drawn({ ...far, groups: [group] }));
    expect(names).toContain('Inside');
    expect(names).not.toContain('Linear');
  });

  it('takes names as text, whatever they are', () => {
    const nasty = { ...node('linear'), title: '<script>"&\u0000\u000b' };
    const svg = drawn({ ...EMPTY_DOC, nodes: [nasty], layout: { linear: { x: 0, y: 0 } } });
    expect(svg.querySelector('script, parsererror')).toBeNull();
    expect(texts(svg)).toContain('<script>"&');
    for (let seed = 0; seed < 60; seed += 1)
      expect(drawn(randomDoc(seed)).querySelector('parsererror'), `seed ${seed}`).toBeNull();
  });
});
