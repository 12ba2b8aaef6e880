/** Keys of the program's drawing: one table for what they do and for the sheet that lists them. */
import type { Command } from '@/ui/commands/command';
import { neighbour } from './commands';
import { nodeOf } from './graph';
import type { VertexStore } from './store';

/** Where the keys are pressed. */
export interface Board {
  readonly store: VertexStore;
  /** The node that has the focus. */
  readonly focused: string | undefined;
  readonly first: string | undefined;
  readonly leave: () => void;
}

interface BoardKey extends Command {
  readonly keys: readonly string[];
  /** False where the key means nothing there. */
  readonly act: (board: Board, key: string) => boolean;
}

const GROUP = 'Program';

export const BOARD_KEYS: readonly BoardKey[] = [
  {
    title: 'Walk the graph',
    group: GROUP,
    keys: ['arrowleft', 'arrowright', 'arrowup', 'arrowdown'],
    gesture: 'Tab',
    act: walk,
  },
  { title: 'Select it; again, edit it', group: GROUP, keys: ['enter', 'space'], act: choose },
  {
    title: 'Remove it',
    group: GROUP,
    keys: ['delete', 'backspace'],
    act: ({ store }) => {
      removeSelected(store);
      return true;
    },
  },
  { title: 'Let go, then back to the model', group: GROUP, keys: ['escape'], act: letGo },
];

const ARROWS = {
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
  arrowup: 'ArrowUp',
  arrowdown: 'ArrowDown',
} as const;

function walk({ store, focused, first }: Board, key: string): boolean {
  const { graph, layout, selected, select } = store.getState();
  const at = focused ?? selected.node;
  const from = at ?? first;
  const next = from && (at ? neighbour(graph, layout.boxes, from, ARROWS[key as keyof typeof ARROWS]) : from);
  if (next) {
    select({ node: next });
    document.querySelector<HTMLElement>(`.vertex-board [data-id="${CSS.escape(next)}"]`)?.focus();
  }
  return true;
}

const FIRST_FIELD = ['input', 'select', 'button'].map((tag) => `[data-inspector] ${tag}`).join(', ');

function choose({ store, focused }: Board): boolean {
  if (!focused) return false;
  const { selected, select } = store.getState();
  if (selected.node === focused) document.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
  select({ node: focused });
  return true;
}

function letGo({ store, leave }: Board): boolean {
  const { refused, refuse, inHand, pickUp, selected, select } = store.getState();
  if (refused) refuse(null);
  else if (inHand) pickUp(null);
  else if (selected.node || selected.wire) select({});
  else leave();
  return true;
}

export function removeSelected(store: VertexStore): void {
  const { graph, selected, edit, readOnly } = store.getState();
  const node = nodeOf(graph, selected.node);
  if (readOnly) return;
  if (node) void edit([{ edit: 'delete', node: node.id }], `Delete ${node.name ?? node.label}`);
  else if (selected.wire)
    void edit(
      [{ edit: 'remove_argument', node: selected.wire.target, argument: selected.wire.argument }],
      'Delete wire',
    );
}
