import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import IconShare from '@tabler/icons-react/icons/IconShare3';
import { useReactFlow } from '@xyflow/react';
import { api, unwrap } from '@/api/client';
import { exportText } from '@/canvas/model/clipboard';
import { useEditorStore } from '@/canvas/view/store';
import { docFor } from '@/canvas/view/use-catalog';
import { CopyAs, copyOrShow } from '@/ui/copy-as/copy-as';
import { download, fileName } from '@/ui/download';
import { compileNode, type ModelItem, validateDoc, writeDraft } from './api';
import type { DraftSaver } from './draft-saver';
import { linkWith } from './share';
import { useProgramNode } from './use-compilation';
import { useChoices } from './use-view';
import { viewText } from './view-place';

interface FileProps {
  model: ModelItem;
  saver: DraftSaver;
  datasetId: string | null;
}

function toCode(doc: Parameters<typeof docFor>[0]) {
  return unwrap(api().POST('/api/v1/code-conversions', { body: { to: 'code', doc: docFor(doc) } }));
}

/** What of a model can be taken elsewhere: links, files, pictures, and its requests as text. */
export function FileMenu({ model, saver, datasetId }: FileProps) {
  const store = useEditorStore();
  const [choices] = useChoices();
  const node = useProgramNode();
  const { getViewport } = useReactFlow();
  const doc = () => store.getState().history.doc;
  const name = fileName(model.name);
  const view = async () => {
    // What a link shows must be there for whoever opens it.
    await saver.flush().catch(() => undefined);
    const address = new URL(location.href);
    if (datasetId) address.searchParams.set('dataset', datasetId);
    address.searchParams.set('view', viewText(getViewport()));
    const selected = [...store.getState().selectedNodes];
    if (selected.length > 0) address.searchParams.set('node', selected.slice(0, 50).join(','));
    await copyOrShow('Link to this view', address.href);
  };
  const compiled =
    node === null
      ? []
      : [{ what: `Compile ${node}`, call: () => compileNode(doc(), node, datasetId, choices) }];
  return (
    <span className="row" style={{ gap: 0 }}>
      <Menu position="bottom-start">
        <Menu.Target>
          <button
            type="button"
            className="btn ghost small icon-only"
            aria-label="Share and export"
            title="Share and export"
          >
            <IconShare size={16} stroke={1.75} />
          </button>
        </Menu.Target>
        <Menu.Dropdown className="file-menu">
          <Menu.Label>Share</Menu.Label>
          <Menu.Item onClick={() => trying(view)}>Copy link to this view</Menu.Item>
          <Menu.Item
            onClick={() =>
              trying(async () => copyOrShow('Link with the model in it', await linkWith(model.name, doc())))
            }
          >
            Copy link with the model in it
          </Menu.Item>
          <Menu.Label>Export</Menu.Label>
          <Menu.Item onClick={() => download(`${name}.json`, exportText(doc()), 'application/json')}>
            Export as JSON
          </Menu.Item>
          <Menu.Item
            onClick={() =>
              trying(async () => download(`${name}.py`, (await toCode(doc())).code, 'text/x-python'))
            }
          >
            Export as Python
          </Menu.Item>
          <Menu.Item
            onClick={() =>
              trying(async () => download(`${name}.svg`, svg(await picture(store)), 'image/svg+xml'))
            }
          >
            Export as SVG
          </Menu.Item>
          <Menu.Item
            onClick={() =>
              trying(async () => {
                const { toPng } = await import('@/canvas/picture/paint');
                download(`${name}.png`, await toPng(await picture(store)));
              })
            }
          >
            Export as PNG
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CopyAs
        actions={[
          { what: 'Save this draft', call: () => writeDraft(model.id, doc(), saver.etag) },
          { what: 'Check the model', call: () => validateDoc(doc(), datasetId) },
          ...compiled,
          { what: 'Write it as Python', call: () => toCode(doc()) },
        ]}
      />
    </span>
  );
}

/** All of the model, in the colours it has here; nothing of it has to be in sight. */
async function picture(store: ReturnType<typeof useEditorStore>) {
  const [{ pictureOf }, { currentPaint }] = await Promise.all([
    import('@/canvas/picture/svg'),
    import('@/canvas/picture/paint'),
  ]);
  const { catalog, history, checks } = store.getState();
  return pictureOf(catalog, history.doc, checks, await currentPaint());
}

const svg = ({ text }: { text: string }) => `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;

function trying(act: () => Promise<unknown>): void {
  act().catch((error: unknown) =>
    notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) }),
  );
}
