import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Job } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import type { TableData } from '@/ui/export/table-data';
import { bytes, number, percent, plural, seconds } from '@/ui/format';
import { TableScroll } from '@/ui/table-scroll';
import { NodeLink } from './kernel-panel';
import { bandwidthShare, colorOf, groupsOf, KERNEL_KINDS, type KernelGroup, kernelId } from './profile-model';
import type { Kernel, Profile } from './types';

const SHORT = 9;
// From so many kernels on they are first seen layer by layer.
const MANY = 24;

function rest(kernels: readonly Kernel[]): string {
  return seconds(kernels.reduce((sum, kernel) => sum + kernel.time_s, 0));
}

const CSV: Record<string, (kernel: Kernel) => string | number | null> = {
  kernel: (k) => k.name,
  kind: (k) => k.kind,
  phase: (k) => k.phase,
  node: (k) => k.node_id,
  'fused from': (k) => k.fused_from.join(' '),
  lines: (k) => k.lines.join(' '),
  calls: (k) => k.calls,
  time_s: (k) => k.time_s,
  bytes: (k) => k.bytes,
  least_bytes: (k) => k.least_bytes,
  operations: (k) => k.operations,
  gb_per_s: (k) => k.gb_per_s,
  floor_s: (k) => k.floor_s,
  bound: (k) => k.bound,
};

/** Every kernel with every figure, also of rows that are folded away. */
export function kernelData(profile: Profile): TableData {
  const columns = Object.values(CSV);
  return {
    head: Object.keys(CSV),
    rows: profile.kernels.map((kernel) => columns.map((column) => column(kernel))),
  };
}

function KernelRow(props: {
  kernel: Kernel;
  profile: Profile;
  job: Job;
  longest: number;
  selected: boolean;
  onSelect: () => void;
}) {
  const { kernel, profile, longest } = props;
  const share = bandwidthShare(kernel, profile);
  return (
    <tr className="clickable" aria-selected={props.selected} onClick={props.onSelect}>
      <td>
        <button type="button" className="kernel-name" onClick={props.onSelect} aria-pressed={props.selected}>
          {kernel.name}
        </button>
      </td>
      <td>
        <span className="kernel-node">
          {kernel.node_id && <NodeLink kernel={kernel} job={props.job} />}
          <span className="caption">{kernel.phase}</span>
        </span>
      </td>
      <td className="num">{number(kernel.calls, 3)}</td>
      <td className="num">{number(kernel.time_s * 1e3, 3)}</td>
      <td className="kernel-bar">
        <i
          className="bar-cell"
          style={{
            width: `${(kernel.time_s / longest) * 100}%`,
            ['--mark' as string]: `var(${colorOf(kernel)})`,
          }}
        />
      </td>
      <td className="num">{kernel.bytes ? bytes(kernel.bytes) : '–'}</td>
      <td
        className="num"
        title={share === null ? undefined : `${percent(share, 0)} of the memory bandwidth measured here`}
      >
        {kernel.bytes ? number(kernel.gb_per_s, 3) : '–'}
      </td>
      <td className="num">{kernel.bound ? number(kernel.operations / 1e6, 3) : '–'}</td>
      <td className="num" title={kernel.bound ? `bound by ${kernel.bound}` : undefined}>
        {kernel.bound ? number(kernel.floor_s * 1e3, 3) : '–'}
      </td>
      <td className="caption">{kernel.bound ?? ''}</td>
    </tr>
  );
}

/** A layer in one row; its kernels below it once it is opened. */
function GroupRows({ group, row }: { group: KernelGroup; row: (kernel: Kernel) => ReactNode }) {
  const [open, setOpen] = useState(false);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const calls = group.kernels.reduce((sum, kernel) => sum + kernel.calls, 0);
  return (
    <>
      <tr className="kernel-group">
        <td colSpan={2}>
          <button type="button" className="kernel-name" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Chevron size={12} aria-hidden="true" /> {group.id || 'no layer'}
          </button>{' '}
          <span className="caption">{plural(group.kernels.length, 'kernel')}</span>
        </td>
        <td className="num">{number(calls, 3)}</td>
        <td className="num">{number(group.time_s * 1e3, 3)}</td>
        <td />
        <td className="num">{group.bytes ? bytes(group.bytes) : '–'}</td>
        <td colSpan={4} />
      </tr>
      {open && group.kernels.map(row)}
    </>
  );
}

/** Every kernel of one epoch, longest first, or by layer. */
export function KernelTable(props: {
  profile: Profile;
  job: Job;
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  const { profile, job } = props;
  const [all, setAll] = useState(false);
  const [grouped, setGrouped] = useState(profile.kernels.length > MANY);
  const card = useRef<HTMLElement>(null);
  const kernels = useMemo(() => [...profile.kernels].sort((a, b) => b.time_s - a.time_s), [profile]);
  const chosen = kernels.findIndex((kernel) => kernelId(kernel) === props.selected);
  const shown = all || chosen >= SHORT ? kernels : kernels.slice(0, SHORT);
  const longest = kernels[0]?.time_s || 1;
  const kinds = [...new Set(kernels.map((kernel) => kernel.kind))];
  const row = (kernel: Kernel) => (
    <KernelRow
      key={kernelId(kernel)}
      kernel={kernel}
      profile={profile}
      job={job}
      longest={longest}
      selected={props.selected === kernelId(kernel)}
      onSelect={() => props.onSelect(kernelId(kernel))}
    />
  );
  return (
    <section className="card clip" ref={card}>
      <div className="card-head wrap">
        <h2>Kernels</h2>
        <span className="caption">{kernels.length} in all, per epoch</span>
        <span className="push">
          <button
            type="button"
            className="btn small"
            data-export="no"
            aria-pressed={grouped}
            onClick={() => setGrouped(!grouped)}
          >
            By layer
          </button>
          {kinds.map((kind) => (
            <span
              key={kind}
              className="legend-square desk-only"
              style={{ ['--mark' as string]: `var(${KERNEL_KINDS[kind]?.color ?? '--c8'})` }}
            >
              {KERNEL_KINDS[kind]?.label ?? kind}
            </span>
          ))}
          <ExportMenu
            title="Kernels"
            file={`${job.name} kernels`}
            target={card}
            table={() => kernelData(profile)}
          />
        </span>
      </div>
      <TableScroll label="Kernels of one epoch">
        <table className="table kernels">
          <thead>
            <tr>
              <th>Kernel</th>
              <th>Node, phase</th>
              <th className="num">Calls</th>
              <th className="num">Time, ms</th>
              <th>
                <span className="visually-hidden">Time as a bar</span>
              </th>
              <th className="num">Moved</th>
              <th className="num">GB/s</th>
              <th className="num" title="Million arithmetic operations">
                MFLOP
              </th>
              <th className="num" title="What the machine needs at least for these bytes and operations">
                Floor, ms
              </th>
              <th>Bound by</th>
            </tr>
          </thead>
          <tbody>
            {grouped
              ? groupsOf(kernels).map((group) => <GroupRows key={group.id} group={group} row={row} />)
              : shown.map(row)}
          </tbody>
        </table>
      </TableScroll>
      {!grouped && shown.length < kernels.length && (
        <button type="button" className="btn ghost small kernel-more" onClick={() => setAll(true)}>
          Show the other {kernels.length - shown.length}, {rest(kernels.slice(shown.length))} together
        </button>
      )}
    </section>
  );
}
