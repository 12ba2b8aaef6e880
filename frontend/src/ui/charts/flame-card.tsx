import IconDownload from '@tabler/icons-react/icons/IconDownload';
import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { ExportMenu } from '@/ui/export/export-menu';
import { heaviestFirst, rowsOf } from './flame';
import { Icicle, type Slice } from './icicle';

// The viewer holds more than a page, but not everything.
const VIEWER_SAMPLES = 50_000;

/** Where the job's profile opens in speedscope, and where it is downloaded for Chrome's viewers. */
function addressesOf(jobId: string) {
  const profile = `/api/v1/jobs/${jobId}/profile`;
  const whole = new URL(`${profile}?max_samples=${VIEWER_SAMPLES}`, location.href).href;
  return {
    speedscope: `/vendor/speedscope/index.html#profileURL=${encodeURIComponent(whole)}&title=${jobId}`,
    trace: `${profile}?format=chrome&max_samples=${VIEWER_SAMPLES}`,
  };
}

interface FlameCardProps {
  title: string;
  caption: string;
  root: Slice;
  /** The job that left the profile as a file; without it there is only the picture. */
  jobId: string | null;
  selected?: string | null;
  onSelect?: (id: string) => void;
  children?: ReactNode;
}

/** Nested times, in the order they happened or by their weight, with the ways to other viewers. */
export function FlameCard(props: FlameCardProps) {
  const { title, root, jobId } = props;
  const [byWeight, setByWeight] = useState(false);
  const card = useRef<HTMLElement>(null);
  const shown = useMemo(() => (byWeight ? heaviestFirst(root) : root), [root, byWeight]);
  const links = jobId ? addressesOf(jobId) : null;
  return (
    <section className="card" ref={card}>
      <div className="card-head wrap">
        <h2>{title}</h2>
        <span className="caption">{props.caption}</span>
        <span className="push" data-export="no">
          <fieldset className="segments" aria-label="Order">
            <button type="button" aria-pressed={!byWeight} onClick={() => setByWeight(false)}>
              Time order
            </button>
            <button type="button" aria-pressed={byWeight} onClick={() => setByWeight(true)}>
              Heaviest first
            </button>
          </fieldset>
          {links && (
            <>
              <a
                className="btn small"
                href={links.speedscope}
                target="_blank"
                rel="noreferrer"
                aria-label="Open in speedscope"
              >
                <IconExternalLink size={14} />
                <span>
                  <span className="desk-only">Open in </span>speedscope
                </span>
              </a>
              <a className="btn small" href={links.trace} download={`${jobId}-trace.json`}>
                <IconDownload size={14} />
                Chrome trace
              </a>
            </>
          )}
          <ExportMenu
            title={title}
            target={card}
            table={() => ({ head: ['stack', 'depth', 'seconds'], rows: rowsOf(shown) })}
          />
        </span>
      </div>
      <div className="card-body">
        {props.children}
        <Icicle root={shown} label={title} selected={props.selected} onSelect={props.onSelect} />
      </div>
    </section>
  );
}
