import './training.css';
import IconFlame from '@tabler/icons-react/icons/IconFlame';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isFinished } from '@/api/job-events';
import type { AnyRecord, Job } from '@/api/types';
import { FlameCard } from '@/ui/charts/flame-card';
import { bytes, count, number, seconds } from '@/ui/format';
import { Empty } from '@/ui/states';
import { KernelPanel } from './kernel-panel';
import { KernelTable } from './kernel-table';
import { LaunchesCard } from './launches-card';
import { MemoryCard } from './memory-card';
import { epochSlices, kernelId } from './profile-model';
import { SavedTable } from './saved-table';
import { type Kernel, type Profile, resultOf, specOf } from './types';

function Figure({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <div>
      <span className="caption">{label}</span>
      <b>
        {value} {note && <small className="text-3">{note}</small>}
      </b>
    </div>
  );
}

function Figures({ profile, job }: { profile: Profile; job: Job }) {
  const generated = profile.kernels.filter((kernel) => kernel.kind !== 'other');
  const calls = generated.reduce((sum, kernel) => sum + kernel.calls, 0);
  const moved = generated.reduce((sum, kernel) => sum + kernel.bytes, 0);
  const ops = generated.reduce((sum, kernel) => sum + kernel.fused_from.length, 0);
  return (
    <section className="card figures" aria-label="One epoch">
      <Figure label={`Epoch, mean of ${profile.epochs}`} value={seconds(profile.epoch_s)} />
      <Figure label="Kernel calls" value={count(calls)} note={`from ${ops} ops`} />
      <Figure label="Moved" value={bytes(moved)} />
      <Figure label="Kept for backward" value={bytes(profile.saved_bytes)} />
      <Figure label="Peak memory" value={bytes(resultOf(job)?.peak_memory_bytes)} />
      <Figure label="Evaluation" value={seconds(profile.evaluation_s)} />
    </section>
  );
}

function waitingWords(job: Job): { title: string; text: string } {
  const training = specOf(job.spec as unknown as AnyRecord).training;
  if (training?.profile_epochs === 0) {
    return { title: 'No profile', text: 'This job measures no epoch: its setting “profile epochs” is 0.' };
  }
  if (isFinished(job.state))
    return { title: 'No profile', text: 'The job ended before its epochs were measured.' };
  return {
    title: 'Ready when training ends',
    text: 'Some epochs are measured kernel by kernel while the job runs.',
  };
}

function useSelected(profile: Profile, job: Job): [Kernel | null, (id: string) => void] {
  const { item, view } = useSearch({ strict: false }) as { item?: string; view?: string };
  const navigate = useNavigate();
  const select = (id: string) =>
    void navigate({
      to: '/jobs/$id',
      params: { id: job.id },
      search: { tab: 'profile', item: id, view },
      replace: true,
      resetScroll: false,
    });
  const wanted = profile.kernels.find((kernel) => kernelId(kernel) === item);
  const first = profile.kernels.find((kernel) => kernel.source !== null);
  return [wanted ?? first ?? profile.kernels[0] ?? null, select];
}

function ProfileView({ profile, job }: { profile: Profile; job: Job }) {
  const [selected, select] = useSelected(profile, job);
  const nodes = specOf(job.spec as unknown as AnyRecord).model.nodes;
  const root = useMemo(
    () =>
      epochSlices(
        profile,
        (nodes ?? []).map((node) => node.id),
      ),
    [profile, nodes],
  );
  const id = selected ? kernelId(selected) : null;
  return (
    <div className="profile">
      <div className="stack">
        <Figures profile={profile} job={job} />
        <KernelTable profile={profile} job={job} selected={id} onSelect={select} />
        <FlameCard
          title="One epoch"
          caption="width is time; pick a kernel to read its source"
          root={root}
          jobId={job.id}
          selected={id}
          onSelect={select}
        />
        <LaunchesCard profile={profile} job={job} />
        <MemoryCard profile={profile} />
        <SavedTable profile={profile} />
        <p className="caption">
          Measured on {profile.machine}, {profile.threads} {profile.threads === 1 ? 'thread' : 'threads'}: it
          copies memory at {number(profile.bandwidth_gb_per_s, 3)} GB/s and multiplies matrices at{' '}
          {number(profile.gflop_per_s, 3)} GFLOP/s. Bytes moved count every row gathered for an edge; what a
          cache serves again makes them exceed that bandwidth. The floor counts each tensor once.
        </p>
      </div>
      {selected && <KernelPanel job={job} kernel={selected} profile={profile} />}
    </div>
  );
}

export function ProfileTab({ job }: { job: Job }) {
  const profile = resultOf(job)?.profile;
  if (profile) return <ProfileView profile={profile} job={job} />;
  const { title, text } = waitingWords(job);
  return (
    <Empty icon={IconFlame} title={title}>
      {text}
    </Empty>
  );
}
