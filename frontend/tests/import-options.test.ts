import { expect, test } from 'vitest';
import { formatOf, notRead } from '@/features/datasets/import-options';
import type { JsonSchema } from '@/ui/schema-form/fields';
import document from '../openapi.json';

const SCHEMA = (document as unknown as { components: { schemas: Record<string, JsonSchema> } }).components
  .schemas['ImportOptions'] as JsonSchema;

test('the chosen format wins over the one told by names', () => {
  expect(formatOf({}, 'tu')).toBe('tu');
  expect(formatOf({ format: 'auto' }, null)).toBeNull();
  expect(formatOf({ format: 'ogb' }, 'tu')).toBe('ogb');
});

test('each format is asked what it reads, and everything while none is known', () => {
  expect(notRead(SCHEMA, null)).toEqual([]);
  expect(notRead(SCHEMA, 'ntriples')).toEqual(
    expect.arrayContaining(['symmetrise', 'edges_file', 'given_split']),
  );
  expect(notRead(SCHEMA, 'ntriples')).not.toContain('resource_types');
  expect(notRead(SCHEMA, 'edge_list')).toEqual(
    expect.arrayContaining(['literals', 'inverse', 'target_type']),
  );
  expect(notRead(SCHEMA, 'edge_list')).not.toContain('edges_file');
  for (const format of ['ntriples', 'edge_list', 'pyg'])
    expect(notRead(SCHEMA, format)).not.toContain('split');
});
