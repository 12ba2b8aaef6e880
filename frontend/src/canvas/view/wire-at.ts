/** The wire under a point of the page, whatever lies over it. */
import type { Position } from '../model/document';

export function wireAt(at: Position | null): string | null {
  if (!at) return null;
  const wire = document
    .elementsFromPoint(at.x, at.y)
    .map((one) => one.closest('.react-flow__edge'))
    .find((one) => one !== null);
  return wire?.getAttribute('data-id') ?? null;
}
