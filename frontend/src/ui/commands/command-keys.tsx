import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import './commands.css';
import { type Command, commandFor, isTyping, waysOf } from './command';
import { showKeys, useCommands, useRegistry } from './registry';

const OWN: readonly Command[] = [
  { title: 'All keys', group: 'Anywhere', keys: ['?'], run: () => showKeys(), basic: true },
];

/** Carries out the keys of whatever is on the page, and shows them all. Mounted once, in the shell. */
export function CommandKeys() {
  useCommands(OWN);
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return <KeySheet />;
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || isTyping(event)) return;
  if (document.querySelector('[role="dialog"]')) return;
  // Enter on a button or a link presses that.
  const target = event.target;
  if (event.key === 'Enter' && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement))
    return;
  const command = commandFor(event, useRegistry.getState().lists);
  if (!command) return;
  event.preventDefault();
  command.run?.(event);
}

function KeySheet() {
  const opened = useRegistry((state) => state.sheet);
  const lists = useRegistry((state) => state.lists);
  const listed = lists.flat().filter((command) => waysOf(command).length > 0);
  const groups = [...new Set(listed.map((command) => command.group))];
  return (
    <Modal opened={opened} onClose={() => showKeys(false)} title="Keys" size="xl" centered>
      <div className="key-sheet">
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <KeyList commands={listed.filter((command) => command.group === group)} />
          </section>
        ))}
      </div>
    </Modal>
  );
}

/** Keys and what they do, two columns. */
export function KeyList({ commands }: { commands: readonly Command[] }) {
  return (
    <dl className="keys">
      {commands.map((command) => (
        <div key={command.title}>
          <dt>
            {waysOf(command).map((way) => (
              <kbd key={way}>{way}</kbd>
            ))}
          </dt>
          <dd>{command.title}</dd>
        </div>
      ))}
    </dl>
  );
}
