import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnyRecord, Job } from '@/api/types';
import { csv, download } from '@/ui/download';
import { number, percent, seconds } from '@/ui/format';
import { bandwidthShare, colorOf, KERNEL_KINDS, kernelId } from './profile-model';
import { type Kernel, type Profile, specOf } from './types';

const MIB = 1024 * 1024;
const SHORT = 9;

function rest(kernels: readonly Kernel[]): string {
  return seconds(kernels.reduce((sum, kernel) => sum + kernel.time_s, 0));
}

function exportCsv(profile: Profile, job: Job): void {
  const head = ['kernel', 'kind', 'phase', 'node', 'fused from', 'calls', 'time_s', 'bytes', 'gb_per_s'];
  const rows = profile.kernels.map((k) => [
    k.name,
    k.kind,
    k.phase,
    k.node_id,
    k.fused_from.join(' '),
    k.calls,
    k.time_s,
    k.bytes,
    k.gb_per_s,
  ]);
  download(`${job.name.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}-kernels.csv`, csv(head, rows));
}

/** The layer a kernel belongs to; it leads to the model where the job names one. */
function NodeCell({ kernel, job }: { kernel: Kernel; job: Job }) {
  const { model_ref, model } = specOf(job.spec as unknown as AnyRecord);
  if (!kernel.node_id) return null;
  const title = model.nodes?.find((node) => node.id === kernel.node_id)?.title || kernel.node_id;
  if (!model_ref) return <>{title}</>;
  return (
    <Link to="/models/$id" params={{ id: model_ref.model_id }} search={{ node: kernel.node_id }}>
      {title}
    </Link>
  );
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
  const fused = kernel.fused_from.join(', ');
  return (
    <tr className="clickable" aria-selected={props.selected} onClick={props.onSelect}>
      <td>
        <button type="button" className="kernel-name" onClick={props.onSelect} aria-pressed={props.selected}>
          {kernel.name}
        </button>
      </td>
      <td>
        <span className="kernel-node">
          <NodeCell kernel={kernel} job={props.job} />
          <span className="caption">{kernel.phase}</span>
        </span>
      </td>
      <td className="caption ellipsis kernel-fused" title={fused}>
        {fused || '–'}
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
      <td className="num">{kernel.bytes ? number(kernel.bytes / MIB, 3) : '–'}</td>
      <td
        className="num"
        title={share === null ? undefined : `${percent(share, 0)} of the memory bandwidth measured here`}
      >
        {kernel.bytes ? number(kernel.gb_per_s, 3) : '–'}
      </td>
    </tr>
  );
}

/** Every kernel of one epoch, longest first. */
export function KernelTable(props: {
  profile: Profile;
  job: Job;
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  const { profile, job } = props;
  const [all, setAll] = useState(false);
  const kernels = [...profile.kernels].sort((a, b) => b.time_s - a.time_s);
  const chosen = kernels.findIndex((kernel) => kernelId(kernel) === props.selected);
  const shown = all || chosen >= SHORT ? kernels : kernels.slice(0, SHORT);
  const longest = kernels[0]?.time_s || 1;
  const kinds = [...new Set(kernels.map((kernel) => kernel.kind))];
  return (
    <section className="card clip">
      <div className="card-head">
        <h2>Kernels</h2>
        <span className="caption">{kernels.length} in all, per epoch</span>
        <span className="push">
          {kinds.map((kind) => (
            <span
              key={kind}
              className="legend-square desk-only"
              style={{ ['--mark' as string]: `var(${KERNEL_KINDS[kind]?.color ?? '--c8'})` }}
            >
              {KERNEL_KINDS[kind]?.label ?? kind}
            </span>
          ))}
          <button type="button" className="btn small" onClick={() => exportCsv(profile, job)}>
            <IconDownload size={14} />
            CSV
          </button>
        </span>
      </div>
      <div className="table-scroll">
        <table className="table kernels">
          <thead>
            <tr>
              <th>Kernel</th>
              <th>Node, phase</th>
              <th>Fused from</th>
              <th className="num">Calls</th>
              <th className="num">Time, ms</th>
              <th>
                <span className="visually-hidden">Time as a bar</span>
              </th>
              <th className="num">MiB</th>
              <th className="num">GB/s</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((kernel) => (
              <KernelRow
                key={kernelId(kernel)}
                kernel={kernel}
                profile={profile}
                job={job}
                longest={longest}
                selected={props.selected === kernelId(kernel)}
                onSelect={() => props.onSelect(kernelId(kernel))}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < kernels.length && (
        <button type="button" className="btn ghost small kernel-more" onClick={() => setAll(true)}>
          Show the other {kernels.length - shown.length}, {rest(kernels.slice(shown.length))} together
        </button>
      )}
    </section>
  );
}
