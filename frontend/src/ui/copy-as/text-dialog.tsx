import { Modal } from '@mantine/core';
import { create } from 'zustand';

interface Shown {
  readonly title: string;
  readonly text: string;
}

const useShown = create<{ shown: Shown | null }>(() => ({ shown: null }));

/** Shows a text to be copied by hand, where the browser lets no page copy. */
export function showText(title: string, text: string): void {
  useShown.setState({ shown: { title, text } });
}

/** Mounted once, in the shell. */
export function TextDialog() {
  const shown = useShown((state) => state.shown);
  return (
    <Modal
      opened={shown !== null}
      onClose={() => useShown.setState({ shown: null })}
      title={shown?.title}
      size="lg"
      centered
    >
      <div className="stack">
        <p className="text-2">This browser lets no page copy. Press Ctrl+C: the text is selected.</p>
        <textarea
          className="field-look mono copy-text"
          readOnly
          rows={14}
          value={shown?.text ?? ''}
          aria-label="Text to copy"
          data-autofocus
          onFocus={(event) => event.target.select()}
        />
      </div>
    </Modal>
  );
}
