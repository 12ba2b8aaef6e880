import { type NodeProps, useReactFlow } from '@xyflow/react';
import { memo, type PointerEvent, useRef, useState } from 'react';
import type { Note } from '../model/document';
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
      {selected && !readOnly && <SizeHandle note={note} />}
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

const LEAST = { width: 96, height: 48 } as const;
const MOST = 1600;

/** The corner by which a note is made larger or smaller; the inspector has its size in numbers. */
function SizeHandle({ note }: { note: Note }) {
  const store = useEditorStore();
  const { getZoom } = useReactFlow();
  const from = useRef<{ x: number; y: number; width: number; height: number } | null>(null);
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (!from.current) return;
    const by = (now: number, then: number) => Math.round((now - then) / getZoom());
    const { x, y, width, height } = from.current;
    const size = {
      width: Math.min(MOST, Math.max(LEAST.width, width + by(clientX, x))),
      height: Math.min(MOST, Math.max(LEAST.height, height + by(clientY, y))),
    };
    const { dispatch, history } = store.getState();
    dispatch(setNote(history.doc, note.id, size), { key: `size ${note.id}` });
  };
  const end = () => {
    from.current = null;
    store.getState().closeGesture();
  };
  return (
    <div
      className="size-handle nodrag nopan"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY, width: note.width, height: note.height };
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}

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
