import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { Schemas } from '@/api/types';
import type { ParamSchema } from '../model/catalog';

type Declaration = Schemas['ProgramDeclaration'];

/** What a vertex program asks for, read by the server's parser; the last that could be read stays while it is edited. */
export function useDeclaration(source: string): Declaration | null {
  const { data } = useQuery({
    queryKey: ['declaration', source],
    queryFn: async () =>
      (await unwrap(api().POST('/api/v1/programs/compile', { body: { source } }))).declares,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? null;
}

/** Settings of a program as forms draw them: sizes that neither an input nor the dataset fixes, and constants. */
export function settingsOf(declaration: Declaration): Record<string, ParamSchema> {
  const shapes = [...Object.values(declaration.features), ...Object.values(declaration.edge_features)];
  const fixed = new Set(['classes', ...shapes.flatMap((shape) => shape.match(/[A-Za-z_]\w*/g) ?? [])]);
  const sizes = declaration.sizes
    .filter((name) => !fixed.has(name))
    .map((name) => [name, { type: 'integer', minimum: 1, 'x-dim': true } satisfies ParamSchema] as const);
  const constants = Object.entries(declaration.constants)
    .filter(([name]) => name !== 'classes')
    .map(([name, value]) => [name, schemaOf(value)] as const);
  return Object.fromEntries([...sizes, ...constants]);
}

function schemaOf(value: Declaration['constants'][string]): ParamSchema {
  if (typeof value === 'boolean') return { type: 'boolean', default: value };
  if (typeof value === 'string') return { type: 'string', default: value };
  return { type: Number.isInteger(value) ? 'integer' : 'number', default: value };
}
