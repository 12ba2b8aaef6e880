/** Commands for notes: comments on the canvas. */
import { type ModelDoc, NOTE_SIZE, type Note, type Position } from './document';
import type { Command } from './history';
import { freshId, idsOf } from './ids';

export function addNote(doc: ModelDoc, position: Position): { command: Command; id: string } {
  const id = freshId('note', new Set(idsOf(doc)));
  const note: Note = { id, text: '', ...NOTE_SIZE };
  return {
    id,
    command: {
      name: 'Add note',
      operations: [
        { op: 'insert_note', note, index: doc.notes.length },
        { op: 'set_position', id, position },
      ],
    },
  };
}

export function findNote(doc: ModelDoc, id: string): Note | undefined {
  return doc.notes.find((note) => note.id === id);
}

export function setNote(doc: ModelDoc, id: string, change: Partial<Omit<Note, 'id'>>): Command {
  const note = findNote(doc, id);
  const name = change.text === undefined ? 'Resize note' : 'Edit note';
  return { name, operations: note ? [{ op: 'set_note', note: { ...note, ...change } }] : [] };
}
