import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import type { ReactNode, RefObject } from 'react';
import { csv, download, fileName } from '@/ui/download';
import { readTable, type TableData } from './table-data';

/** A picture of an element as it stands, on the page's background. */
async function pictureOf(element: HTMLElement): Promise<Blob | null> {
  const { toBlob } = await import('html-to-image');
  const filter = (node: Node) => !(node instanceof HTMLElement && node.dataset.export === 'no');
  const backgroundColor = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim();
  // The whole of it, also what has to be scrolled to.
  const width = Math.max(
    element.scrollWidth,
    ...[...element.querySelectorAll('table')].map((t) => t.scrollWidth),
  );
  return toBlob(element, {
    filter,
    backgroundColor,
    skipFonts: true,
    pixelRatio: 2,
    width,
    cacheBust: false,
  });
}

export interface ExportMenuProps {
  /** What is exported, as read aloud; the start of the file's name. */
  title: string;
  /** What the file is called, where that is more than the title. */
  file?: string;
  /** The card: its table is the CSV and its picture the PNG where nothing else is given. */
  target: RefObject<HTMLElement | null>;
  table?: () => TableData;
  png?: () => Promise<Blob | null>;
  children?: ReactNode;
}

/** The one way to take a chart or a table along: CSV and PNG. */
export function ExportMenu({ title, file = title, target, table, png, children }: ExportMenuProps) {
  const name = fileName(file);
  const saveCsv = () => {
    const data = table?.() ?? readTable(target.current!);
    download(`${name}.csv`, csv(data.head, data.rows));
  };
  const savePng = async () => {
    const blob = await (png?.() ?? pictureOf(target.current!)).catch(() => null);
    if (blob) download(`${name}.png`, blob);
    else notifications.show({ color: 'red', message: `No picture of ${title} could be made.` });
  };
  return (
    <Menu>
      <Menu.Target>
        <button
          type="button"
          className="btn ghost small icon-only"
          aria-label={`${title}: export`}
          title="Export"
          data-export="no"
        >
          <IconDownload size={14} stroke={1.75} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={saveCsv}>CSV</Menu.Item>
        <Menu.Item onClick={() => void savePng()}>PNG</Menu.Item>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
