import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { Schemas } from '@/api/types';
import { type Catalog, EMPTY_CATALOG, indexCatalog, type LayerInfo } from '../model/catalog';
import { EMPTY_DOC, type ModelDoc, NOTE_SIZE } from '../model/document';

/** The palette, read once: it changes only with the installed version. */
export const catalogQuery = queryOptions({
  queryKey: ['layers'],
  queryFn: async (): Promise<Catalog> => {
    const { items } = await unwrap(api().GET('/api/v1/layers'));
    return indexCatalog(items as readonly Schemas['LayerItem'][] as unknown as readonly LayerInfo[]);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function useCatalog(): Catalog {
  return useQuery(catalogQuery).data ?? EMPTY_CATALOG;
}

/** The document as the canvas holds it: what the API may leave out is filled in. */
export function docFrom(doc: Schemas['ModelDoc']): ModelDoc {
  return {
    schema_version: doc.schema_version ?? EMPTY_DOC.schema_version,
    nodes: (doc.nodes ?? []).map((node) => ({
      id: node.id,
      type: node.type,
      params: node.params ?? {},
      title: node.title ?? '',
    })),
    wires: doc.wires ?? [],
    programs: doc.programs ?? [],
    groups: (doc.groups ?? []).map((group) => ({
      id: group.id,
      title: group.title ?? '',
      members: group.members ?? [],
      collapsed: group.collapsed ?? false,
    })),
    notes: (doc.notes ?? []).map((note) => ({
      id: note.id,
      text: note.text ?? '',
      width: note.width ?? NOTE_SIZE.width,
      height: note.height ?? NOTE_SIZE.height,
    })),
    layout: doc.layout ?? {},
    code: doc.code ?? '',
  };
}

/** The same for the API, whose types are not read-only. */
export function docFor(doc: ModelDoc): Schemas['ModelDoc'] {
  return doc as unknown as Schemas['ModelDoc'];
}
