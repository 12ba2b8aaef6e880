/** Names and ids that need no secure context: `crypto.randomUUID` is missing on plain http. */

import type { ModelDoc } from './document';

/** What the server takes as the id of a node, a group or a note. */
export const ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Every id of a document: nodes, groups and notes share one space. */
export function idsOf(doc: ModelDoc): string[] {
  return [...doc.nodes, ...doc.groups, ...doc.notes].map((item) => item.id);
}

/** `base`, or `base_2`, `base_3`… when taken. The base is bent to what a node id may be. */
export function freshId(base: string, taken: ReadonlySet<string>): string {
  const stem =
    base
      .replace(/[^A-Za-z0-9_-]/g, '_')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 56) || 'node';
  if (!taken.has(stem)) return stem;
  let number = 2;
  while (taken.has(`${stem}_${number}`)) number += 1;
  return `${stem}_${number}`;
}

/** The stem of an id: `linear_3` counts on from `linear`. */
export function stemOf(id: string): string {
  return id.replace(/_\d+$/, '');
}

/** 26 random characters for keys that only have to be unique, such as an Idempotency-Key. */
export function randomKey(random: () => number = Math.random): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  let out = '';
  for (let i = 0; i < 26; i++) out += alphabet[Math.floor(random() * alphabet.length)];
  return out;
}
