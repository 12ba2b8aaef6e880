// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '@/canvas/model/document';
import { randomDoc } from '@/canvas/model/random-doc';
import { linkWith, modelIn } from './share';

describe('a link with the model in it', () => {
  it('brings the same model to any other server', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const doc = randomDoc(seed);
      const link = await linkWith('ü & “x”', doc, 'http://lab:8765');
      expect(link).toMatch(/^http:\/\/lab:8765\/models\?new=import#model=[\w-]+$/);
      const found = await modelIn(`see ${link.replace('lab', 'other')} `);
      expect(found.name).toBe('ü & “x”');
      expect(canonicalJson(found.fragment)).toBe(canonicalJson(doc));
    }
  });

  it('says so when it was cut off', async () => {
    const link = await linkWith('x', randomDoc(3));
    await expect(modelIn(link.slice(0, -20))).rejects.toThrow('not whole');
    await expect(modelIn(link.replace(/#model=.*/, '#model=!'))).rejects.toThrow('not whole');
  });
});
