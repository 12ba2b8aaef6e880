import { type NodeProps, NodeResizer } from '@xyflow/react';
import { memo, useState } from 'react';
import { findNote, setNote } from '../model/notes';
import { useEditor, useEditorStore } from './store';

/** A comment on the canvas. A double click writes in it; the inspector does too. */
export const NoteNode = memo(function NoteNode({ id }: NodeProps) {
  const note = useEditor((state) => findNote(state.history.doc, id));
  const selected = useEditor((state) => state.selectedNodes.has(id));
  const readOnly = useEditor((state) => state.readOnly);
  const [writing, setWriting] = useState(false);
  if (!note) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: with keys a note is written in the inspector
    <div
      className="note"
      data-selected={selected || undefined}
      onDoubleClick={readOnly ? undefined : () => setWriting(true)}
    >
      <NodeResizer
        isVisible={selected && !readOnly}
        minWidth={96}
        minHeight={48}
        maxWidth={1600}
        maxHeight={1600}
      />
      {writing ? (
        <NoteText id={id} className="nodrag nowheel" onLeave={() => setWriting(false)} />
      ) : (
        <div className="note-text">
          {note.text || <span className="text-3">An empty note: double-click to write</span>}
        </div>
      )}
    </div>
  );
});

/** The text of a note in a field. A burst of typing is one step. */
export function NoteText({
  id,
  className,
  onLeave,
}: {
  id: string;
  className?: string;
  onLeave?: () => void;
}) {
  const store = useEditorStore();
  const text = useEditor((state) => findNote(state.history.doc, id)?.text ?? '');
  const readOnly = useEditor((state) => state.readOnly);
  return (
    <textarea
      className={className}
      value={text}
      maxLength={4000}
      rows={6}
      placeholder="What should a reader know?"
      aria-label="Text of the note"
      disabled={readOnly}
      onChange={(event) => {
        const { dispatch, history } = store.getState();
        dispatch(setNote(history.doc, id, { text: event.target.value }), {
          key: `note ${id}`,
          at: Date.now(),
        });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        event.stopPropagation();
      }}
      onBlur={() => {
        store.getState().closeGesture();
        onLeave?.();
      }}
    />
  );
}
