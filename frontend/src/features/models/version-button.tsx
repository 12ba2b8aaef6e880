import { Modal } from '@mantine/core';
import IconVersions from '@tabler/icons-react/icons/IconVersions';
import { useMemo, useState } from 'react';
import { EMPTY_DOC, meaningHash } from '@/canvas/model/document';
import { useEditor } from '@/canvas/view/store';
import { late } from '@/ui/late';
import { Loading } from '@/ui/states';
import type { ModelItem } from './api';
import type { DraftSaver } from './draft-saver';

const Versions = late(() => import('./version-panel').then((file) => file.VersionPanel), {
  place: <Loading rows={3} label="Opening the versions" />,
});

/** Versions: keep the draft as one, see the others, go back to one. */
export function VersionButton({ model, saver }: { model: ModelItem; saver: DraftSaver }) {
  const [open, setOpen] = useState(false);
  const { nodes, wires, programs, schema_version } = useEditor((state) => state.history.doc);
  const hash = useMemo(
    () => meaningHash({ ...EMPTY_DOC, schema_version, nodes, wires, programs }),
    [schema_version, nodes, wires, programs],
  );
  const [kept, setKept] = useState({ number: model.newest_version, hash: model.draft_differs ? null : hash });
  const same = kept.number > 0 && kept.hash === hash;
  const label = kept.number === 0 ? 'No version' : same ? `v${kept.number}` : `v${kept.number} + draft`;
  return (
    <>
      <button
        type="button"
        className="btn desk-only"
        onClick={() => setOpen(true)}
        title="Save a version, or go back to one"
      >
        <IconVersions size={15} stroke={1.75} />
        {label}
      </button>
      <Modal opened={open} onClose={() => setOpen(false)} title="Versions" size="lg" centered>
        <Versions
          model={model}
          saver={saver}
          same={same}
          onKept={(number) => setKept({ number, hash })}
          onDone={() => setOpen(false)}
        />
      </Modal>
    </>
  );
}
