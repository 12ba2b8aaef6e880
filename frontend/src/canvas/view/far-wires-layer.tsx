import { useStore, ViewportPortal } from '@xyflow/react';
import { useMemo } from 'react';
import type { Group } from '../model/document';
import { FAULTY, farWires } from '../model/far-wires';
import { CROWDED_FROM, nodeLooks, wireLooks } from '../model/looks';
import { isFar } from './detail';
import { kindColour } from './port-glyph';
import { useEditor } from './store';

/** Are the wires of this model drawn as a few paths now? Not where some of them end at a folded group. */
export function useFarWires(): boolean {
  const far = useStore(isFar);
  const crowded = useEditor(
    ({ history: { doc } }) => doc.nodes.length >= CROWDED_FROM && !doc.groups.some(folded),
  );
  return far && crowded;
}

function folded(group: Group): boolean {
  return group.collapsed;
}

/** The wires of a large model seen from afar; they cannot be pointed at until one is near enough to tell them apart. */
export function FarWiresLayer() {
  return useFarWires() ? <Paths /> : null;
}

function Paths() {
  const doc = useEditor((state) => state.history.doc);
  const catalog = useEditor((state) => state.catalog);
  const checks = useEditor((state) => state.checks);
  const write = useMemo(farWires, []);
  const scene = { doc, catalog, checks };
  const paths = write(doc, nodeLooks(scene), wireLooks(scene));
  return (
    <ViewportPortal>
      <svg className="far-wires" aria-hidden="true">
        {[...paths].map(([kind, path]) => (
          <path
            key={kind}
            d={path}
            stroke={kind === FAULTY ? 'var(--err)' : kindColour(kind)}
            strokeDasharray={kind === FAULTY ? '20 16' : undefined}
          />
        ))}
      </svg>
    </ViewportPortal>
  );
}
