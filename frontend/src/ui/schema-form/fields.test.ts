import { describe, expect, it } from 'vitest';
import { defaultsOf, fieldsOf, type JsonSchema, problemsOf } from './fields';

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['dataset', 'steps'],
  properties: {
    kind: { const: 'toy', default: 'toy', type: 'string' },
    name: { type: 'string', default: '', maxLength: 5, 'x-advanced': true },
    dataset: { type: 'string', 'x-resource': 'dataset' },
    steps: { type: 'integer', minimum: 1, maximum: 10, title: 'Steps' },
    rate: { type: 'number', exclusiveMinimum: 0, default: 0.1 },
    mode: { $ref: '#/$defs/Mode', default: 'fast' },
    limit: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }], default: null },
    secret: { 'x-hidden': true, type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    training: { $ref: '#/$defs/Training', description: 'How to train.' },
    planner: { oneOf: [{ $ref: '#/$defs/Greedy' }, { $ref: '#/$defs/Exact' }] },
    extra: { type: 'object' },
  },
  $defs: {
    Mode: { enum: ['fast', 'slow'], type: 'string' },
    Training: {
      type: 'object',
      properties: { epochs: { type: 'integer', default: 200 }, seed: { type: 'integer' } },
    },
    Greedy: {
      type: 'object',
      properties: { type: { const: 'greedy' }, beam: { type: 'integer', default: 2 } },
    },
    Exact: { type: 'object', properties: { type: { const: 'exact' } } },
  },
};

describe('fields of a schema', () => {
  const fields = fieldsOf(SCHEMA);
  const kinds = Object.fromEntries(fields.map((field) => [field.key, field.kind]));

  it('picks a widget for every kind of value and hides constants', () => {
    expect(kinds).toEqual({
      name: 'text',
      dataset: 'resource',
      steps: 'integer',
      rate: 'number',
      mode: 'choice',
      limit: 'integer',
      tags: 'list',
      training: 'group',
      planner: 'variant',
      extra: 'json',
    });
  });

  it('follows references and keeps what stands beside them', () => {
    const training = fields.find((field) => field.key === 'training')!;
    expect([training.help, training.fields.map((field) => field.pointer)]).toEqual([
      'How to train.',
      ['/training/epochs', '/training/seed'],
    ]);
  });

  it('knows what may be empty and what is for experts', () => {
    const by = (key: string) => fields.find((field) => field.key === key)!;
    expect([by('limit').nullable, by('name').advanced, by('steps').required]).toEqual([true, true, true]);
  });

  it('starts from constants and defaults, groups and the first variant included', () => {
    expect(defaultsOf(SCHEMA)).toEqual({
      kind: 'toy',
      name: '',
      rate: 0.1,
      mode: 'fast',
      limit: null,
      training: { epochs: 200 },
      planner: { type: 'greedy', beam: 2 },
    });
  });

  it('takes the unit out of a name', () => {
    const [field] = fieldsOf({ properties: { step_s: { type: 'number', title: 'Step S' } } });
    expect([field?.label, field?.unit]).toEqual(['Step', 's']);
  });

  it('finds every problem by its pointer', () => {
    expect(problemsOf(fields, { name: 'too long', steps: 0, rate: 0, training: { epochs: 1.5 } })).toEqual({
      '/name': 'At most 5 characters',
      '/dataset': 'Required',
      '/steps': 'At least 1',
      '/rate': 'More than 0',
      '/training/epochs': 'A whole number',
    });
  });
});
