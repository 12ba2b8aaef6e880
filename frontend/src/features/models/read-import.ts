/** A model from a text a person has: JSON of an export or a copy, Python of the code pane, or a link with a model in it. */
import { api, unwrap } from '@/api/client';
import { readFragment } from '@/canvas/model/clipboard';
import { EMPTY_DOC, type ModelDoc } from '@/canvas/model/document';
import { docFor, docFrom } from '@/canvas/view/use-catalog';
import { isModelLink, modelIn } from './share';

export interface Imported {
  readonly name: string | null;
  /** Null where nothing of it could be used; `notes` says why. */
  readonly doc: ModelDoc | null;
  readonly notes: readonly string[];
}

const PYTHON = /^\s*(def |# %%|from |import )/m;

export async function readImport(text: string): Promise<Imported> {
  const given = text.trim();
  if (given === '') return { name: null, doc: null, notes: [] };
  if (isModelLink(given)) return fromLink(given);
  if (!/^[[{]/.test(given) && PYTHON.test(given)) return fromPython(text);
  if (!/^[[{"]/.test(given)) {
    const notes = ['This is neither a model as JSON, nor as Python, nor a link with a model in it.'];
    return { name: null, doc: null, notes };
  }
  const { fragment, notes } = readFragment(given);
  return { name: null, doc: fragment.nodes.length > 0 ? fragment : null, notes };
}

async function fromLink(link: string): Promise<Imported> {
  try {
    const { name, fragment, notes } = await modelIn(link);
    return { name, doc: fragment.nodes.length > 0 ? fragment : null, notes };
  } catch (error) {
    return { name: null, doc: null, notes: [error instanceof Error ? error.message : String(error)] };
  }
}

export function convertCode(code: string) {
  return unwrap(
    api().POST('/api/v1/code-conversions', { body: { to: 'document', code, doc: docFor(EMPTY_DOC) } }),
  );
}

async function fromPython(code: string): Promise<Imported> {
  const { doc, problems } = await convertCode(code);
  const notes = problems.map((one) => `Line ${one.line ?? 1}: ${one.message} ${one.hint}`.trim());
  const read = doc ? docFrom(doc) : null;
  return { name: null, doc: read && read.nodes.length > 0 ? read : null, notes };
}
