import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import IconTerminal from '@tabler/icons-react/icons/IconTerminal2';
import { requestOf } from '@/api/client';
import { copyText } from '@/ui/clipboard';
import { curlOf, pythonOf } from './request-text';
import { showText } from './text-dialog';

const FORMS = { curl: curlOf, Python: pythonOf } as const;
type Form = keyof typeof FORMS;

/** Copies what `call` would send; shows it where nothing may be copied. */
export async function copyAs(form: Form, what: string, call: () => unknown): Promise<void> {
  const text = FORMS[form](await requestOf(call), location.origin);
  await copyOrShow(`${what}, as ${form}`, text);
}

export async function copyOrShow(what: string, text: string): Promise<void> {
  if (await copyText(text)) notifications.show({ message: `Copied: ${what}.` });
  else showText(what, text);
}

export interface CopyAsProps {
  /** The action in words: "Cancel the job". */
  what: string;
  /** The function of the page that does it. It is asked what it would send, and nothing is sent. */
  call: () => unknown;
}

/** The entries for one action, inside a menu there is already. */
export function CopyAsItems({ what, call }: CopyAsProps) {
  return (
    <>
      <Menu.Label>{what}</Menu.Label>
      {(Object.keys(FORMS) as Form[]).map((form) => (
        <Menu.Item key={form} onClick={() => void copyAs(form, what, call)}>
          Copy as {form}
        </Menu.Item>
      ))}
    </>
  );
}

/** A button beside an action: the same as a shell command, or as Python. Several actions share one. */
export function CopyAs(props: CopyAsProps | { actions: readonly CopyAsProps[] }) {
  const actions = 'actions' in props ? props.actions : [props];
  if (actions.length === 0) return null;
  const label =
    actions.length === 1 ? `${actions[0]?.what}: copy as curl or Python` : 'Copy as curl or Python';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button
          type="button"
          className="btn ghost small icon-only"
          aria-label={label}
          title="Copy as curl or Python"
        >
          <IconTerminal size={15} stroke={1.75} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <CopyAsItems key={action.what} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
