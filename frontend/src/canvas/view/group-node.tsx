import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import { Handle, type NodeProps, Position as Side } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { crossings } from '../model/boxes';
import { findPort, type Side as PortSide, titleOf } from '../model/catalog';
import { problemsOfNode } from '../model/checks';
import { EMPTY_DOC, type Endpoint, findNode, type Group, portKey } from '../model/document';
import { HEAD, ROW } from '../model/geometry';
import { fold, groupTree, itemsWithin } from '../model/groups';
import { UNKNOWN_KIND } from '../model/value-types';
import { tapPort } from './connect-actions';
import { groupHandleId } from './handles';
import { PortGlyph } from './port-glyph';
import { type EditorState, useEditor, useEditorStore } from './store';

/** A group: a frame around what is in it, or, folded, one block with the ports of the wires that cross its border. */
export const GroupNode = memo(function GroupNode({ id }: NodeProps) {
  const group = useEditor((state) => groupTree(state.history.doc).byId.get(id));
  if (!group) return null;
  return group.collapsed ? <FoldedGroup group={group} /> : <Frame group={group} />;
});

function Frame({ group }: { group: Group }) {
  const selected = useEditor((state) => state.selectedNodes.has(group.id));
  return (
    <div className="group-frame" data-selected={selected || undefined}>
      <Head group={group} />
    </div>
  );
}

function FoldedGroup({ group }: { group: Group }) {
  const wires = useEditor((state) => state.history.doc.wires);
  const groups = useEditor((state) => state.history.doc.groups);
  const selected = useEditor((state) => state.selectedNodes.has(group.id));
  const errors = useEditor((state) => errorsWithin(state, group.id));
  const { inputs, outputs } = useMemo(
    () => crossings({ ...EMPTY_DOC, wires, groups }, group.id),
    [wires, groups, group.id],
  );
  return (
    <div
      className="layer group-folded"
      data-selected={selected || undefined}
      data-problem={errors > 0 ? 'error' : undefined}
    >
      <Head group={group} errors={errors} />
      {inputs.map((end, i) => (
        <GroupPort key={portKey(end)} end={end} side="input" row={i} />
      ))}
      {outputs.map((end, i) => (
        <GroupPort key={portKey(end)} end={end} side="output" row={i} />
      ))}
      <div
        className="layer-foot ellipsis"
        style={{ top: HEAD + ROW * Math.max(1, inputs.length, outputs.length) }}
      >
        <Count id={group.id} />
      </div>
    </div>
  );
}

function Head({ group, errors = 0 }: { group: Group; errors?: number }) {
  const store = useEditorStore();
  const readOnly = useEditor((state) => state.readOnly);
  const title = group.title || group.id;
  const Icon = group.collapsed ? IconChevronRight : IconChevronDown;
  return (
    <div className="group-head">
      <button
        type="button"
        className="group-fold nodrag"
        aria-label={`${group.collapsed ? 'Expand' : 'Collapse'} ${title}`}
        aria-expanded={!group.collapsed}
        disabled={readOnly}
        onClick={() => {
          const { dispatch, history } = store.getState();
          dispatch(fold(history.doc, group.id, !group.collapsed));
        }}
      >
        <Icon size={16} stroke={1.75} />
      </button>
      <b className="ellipsis">{title}</b>
      {!group.collapsed && (
        <span className="text-3 nowrap">
          <Count id={group.id} />
        </span>
      )}
      {errors > 0 && (
        <span className="layer-badge" data-tone="err">
          ×<span className="visually-hidden">{`${errors} error${errors === 1 ? '' : 's'} inside`}</span>
        </span>
      )}
    </div>
  );
}

function Count({ id }: { id: string }) {
  const layers = useEditor(({ history: { doc } }) => layersWithin(doc, id).length);
  return <>{layers === 1 ? '1 layer' : `${layers} layers`}</>;
}

function layersWithin(doc: EditorState['history']['doc'], id: string): string[] {
  return itemsWithin(doc, [id]).filter((one) => findNode(doc, one));
}

function errorsWithin({ history, checks }: EditorState, id: string): number {
  return layersWithin(history.doc, id)
    .flatMap((node) => problemsOfNode(checks, node))
    .filter((problem) => problem.severity === 'error').length;
}

function GroupPort({ end, side, row }: { end: Endpoint; side: PortSide; row: number }) {
  const store = useEditorStore();
  const held = useMemo(() => ({ end, side }), [end, side]);
  const kind = useEditor(
    ({ history, catalog }) => findPort(catalog, history.doc, end, side)?.kind ?? UNKNOWN_KIND,
  );
  const owner = useEditor(({ history, catalog }) => {
    const node = findNode(history.doc, end.node);
    return node ? titleOf(catalog, node) : end.node;
  });
  const fit = useEditor((state) => (state.inHand ? (state.inHand.judge(held).ok ? 'yes' : 'no') : undefined));
  const readOnly = useEditor((state) => state.readOnly);
  return (
    <Handle
      type={side === 'input' ? 'target' : 'source'}
      position={side === 'input' ? Side.Left : Side.Right}
      id={groupHandleId(side, end)}
      className="port"
      style={{ top: HEAD + ROW * row + ROW / 2 }}
      data-side={side}
      data-fit={fit}
      data-wired
      data-port={portKey(end)}
      isConnectable={!readOnly}
      onClick={readOnly ? undefined : (event) => tapPort(store, held, event)}
      title={`${owner}.${end.port} (${end.node}): ${kind}`}
    >
      <PortGlyph kind={kind} />
      <span className="port-name ellipsis">{`${owner}.${end.port}`}</span>
    </Handle>
  );
}
