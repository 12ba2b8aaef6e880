/** A model with groups and notes as the layout worker takes it. */
import { type Box, boxOf, foldedSize } from './boxes';
import type { Catalog } from './catalog';
import type { ModelDoc, Position } from './document';
import { layoutRequest } from './geometry';
import { groupTree, itemsWithin } from './groups';
import type { LevelGroup, LevelNote, LevelRequest } from './layout-levels';

export function levelRequest(catalog: Catalog, doc: ModelDoc): LevelRequest {
  const { parent, hiddenBy } = groupTree(doc);
  const level = (id: string) => parent.get(id) ?? null;
  const { nodes, links } = layoutRequest(catalog, doc);
  const seen = (item: { readonly id: string }) => !hiddenBy.has(item.id);
  return {
    links,
    nodes: nodes.filter(seen).map((node) => {
      const snaps = node.above !== null && level(node.above) === level(node.id) && !hiddenBy.has(node.above);
      return { ...node, above: snaps ? node.above : null };
    }),
    groups: doc.groups.filter(seen).flatMap(({ id, collapsed }): LevelGroup[] => {
      const box = boxOf(catalog, doc, id);
      return box ? [{ id, folded: collapsed ? folded(doc, id, box) : null }] : [];
    }),
    notes: doc.notes.filter(seen).map((note) => levelNote(catalog, doc, note.id, note)),
    parents: [...parent],
  };
}

/** What is in a folded group keeps its places among itself. */
function folded(doc: ModelDoc, id: string, box: Box): LevelGroup['folded'] {
  const inside = itemsWithin(doc, [id]).flatMap((one): [string, Position][] => {
    const at = doc.layout[one];
    return at ? [[one, { x: at.x - box.x, y: at.y - box.y }]] : [];
  });
  return { ...foldedSize(doc, id), inside };
}

/** A note stays beside the thing it stands nearest to, of those it shares its group with. */
function levelNote(
  catalog: Catalog,
  doc: ModelDoc,
  id: string,
  size: { width: number; height: number },
): LevelNote {
  const { parent } = groupTree(doc);
  const at = doc.layout[id] ?? { x: 0, y: 0 };
  const middle = centre({ ...at, ...size });
  const beside = [...doc.nodes, ...doc.groups]
    .filter((one) => parent.get(one.id) === parent.get(id))
    .flatMap((one) => {
      const box = boxOf(catalog, doc, one.id);
      return box ? [{ id: one.id, box, far: distance(middle, centre(box)) }] : [];
    })
    .sort((a, b) => a.far - b.far)[0];
  const by = beside ? { x: at.x - beside.box.x, y: at.y - beside.box.y } : at;
  return { id, width: size.width, height: size.height, beside: beside?.id ?? null, by };
}

function centre(box: Box): Position {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function distance(a: Position, b: Position): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
