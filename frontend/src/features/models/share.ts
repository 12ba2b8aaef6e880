/** Links to a model: one to how it is looked at here, one with the model itself inside, for any other server. */
import { exportText, type Pasted, readFragment } from '@/canvas/model/clipboard';
import type { ModelDoc } from '@/canvas/model/document';

/** Browsers and chat windows cut longer addresses. */
const LONGEST = 100_000;
const MARK = '#model=';

/** What follows `#` is never sent to a server: the model goes from browser to browser. */
export async function linkWith(name: string, doc: ModelDoc, origin = location.origin): Promise<string> {
  const packed = await packed64(JSON.stringify({ name, text: exportText(doc) }));
  const link = `${origin}/models?new=import${MARK}${packed}`;
  if (link.length > LONGEST)
    throw new Error('This model is too large for a link. Export it as JSON and import that file.');
  return link;
}

export function isModelLink(text: string): boolean {
  return text.includes(MARK);
}

/** The model in a link. Raises an error that says what is wrong with it. */
export async function modelIn(link: string): Promise<Pasted & { name: string }> {
  const packed = /#model=([\w-]*)/.exec(link)?.[1] ?? '';
  let read: unknown;
  try {
    read = JSON.parse(await unpacked64(packed));
  } catch {
    throw new Error(
      'The link is not whole: a part of it was cut off or changed. Copy it again, or import a file.',
    );
  }
  const { name, text } = read as { name?: unknown; text?: unknown };
  return { ...readFragment(String(text)), name: typeof name === 'string' ? name.slice(0, 120) : 'shared' };
}

async function packed64(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function unpacked64(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
}

/** What a small text may grow to: a link of nothing but zeros must not fill the memory. */
const MOST_BYTES = 20_000_000;

async function through(bytes: Uint8Array, by: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(by).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.length;
    if (size > MOST_BYTES) throw new Error('The model in the link is too large.');
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
