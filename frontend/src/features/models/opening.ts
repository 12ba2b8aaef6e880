/** What the editor begins with: the server's draft, or what this browser still holds of it. */
import type { Catalog } from '@/canvas/model/catalog';
import { placeInColumns } from '@/canvas/model/columns';
import { draftHash, type ModelDoc } from '@/canvas/model/document';
import type { Draft } from './api';
import type { LocalDraft } from './local-drafts';

export interface Opening {
  readonly doc: ModelDoc;
  /** The document the server has; what differs from it is unsaved. */
  readonly saved: ModelDoc;
  /** The draft the edits began from. An older one than the server's ends in a conflict that a person settles. */
  readonly etag: string;
  readonly restored: boolean;
}

export function openingOf(catalog: Catalog, draft: Draft, kept: LocalDraft | null): Opening {
  const saved = placed(catalog, draft.doc);
  if (!kept || draftHash(kept.doc) === draftHash(draft.doc))
    return { doc: saved, saved, etag: draft.etag, restored: false };
  return { doc: placed(catalog, kept.doc), saved, etag: kept.etag, restored: true };
}

/** A model that says no positions (made by a script or a template) is laid out before it is seen. */
function placed(catalog: Catalog, doc: ModelDoc): ModelDoc {
  if (doc.nodes.length === 0 || doc.nodes.some((node) => doc.layout[node.id])) return doc;
  return { ...doc, layout: placeInColumns(catalog, doc) };
}
