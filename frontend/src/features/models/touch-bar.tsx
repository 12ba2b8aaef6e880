import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp';
import IconArrowForwardUp from '@tabler/icons-react/icons/IconArrowForwardUp';
import IconClipboard from '@tabler/icons-react/icons/IconClipboard';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconCopyPlus from '@tabler/icons-react/icons/IconCopyPlus';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useEditor } from '@/canvas/view/store';
import { useRegistry } from '@/ui/commands/registry';

const ICONS = {
  Undo: IconArrowBackUp,
  Redo: IconArrowForwardUp,
  Copy: IconCopy,
  Paste: IconClipboard,
  Duplicate: IconCopyPlus,
  Delete: IconTrash,
} as const;

/** What fingers have no keys for: the same commands as buttons, where the pointer is coarse. */
export function TouchBar() {
  const lists = useRegistry((state) => state.lists);
  // What is selected and what can be undone decide which of them do something.
  useEditor((state) => state.selectedNodes);
  useEditor((state) => state.selectedWires);
  useEditor((state) => state.history);
  const found = lists.flat();
  return (
    <div className="touch-bar" role="toolbar" aria-label="Edit" data-commands="no">
      {Object.entries(ICONS).map(([title, Icon]) => {
        const command = found.find((one) => one.title === title);
        if (!command?.run) return null;
        return (
          <button
            key={title}
            type="button"
            className="btn ghost icon-only"
            aria-label={title}
            title={title}
            disabled={command.enabled?.() === false}
            onClick={() => command.run?.()}
          >
            <Icon size={20} stroke={1.75} />
          </button>
        );
      })}
    </div>
  );
}
