import { Checkbox, TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { jobsQuery } from '@/api/jobs';
import type { Job } from '@/api/types';
import { age, plural } from '@/ui/format';
import { useNow } from '@/ui/now';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { Status } from '@/ui/status';
import { MOST_RUNS } from './runs';

function PickRow(props: { job: Job; now: number; ticked: boolean; disabled: boolean; onTick: () => void }) {
  const { job } = props;
  return (
    <li>
      <Checkbox
        size="xs"
        label={job.name}
        checked={props.ticked}
        disabled={props.disabled && !props.ticked}
        onChange={props.onTick}
      />
      <Status state={job.state} />
      <span className="caption">{age(job.created_at, props.now)}</span>
    </li>
  );
}

/** Jobs to tick, found by their name. */
export function RunPicker(props: { chosen: readonly string[]; onChoose: (runs: string[]) => void }) {
  const [ticked, setTicked] = useState<readonly string[]>(props.chosen);
  const [text, setText] = useState('');
  const query = useInfiniteQuery(jobsQuery(text ? { q: text } : {}));
  const now = useNow(5000);
  const jobs = query.data?.pages.flatMap((page) => page.items) ?? [];
  const toggle = (id: string) =>
    setTicked(ticked.includes(id) ? ticked.filter((x) => x !== id) : [...ticked, id]);
  return (
    <div className="picker">
      <div className="picker-head">
        <TextInput
          aria-label="Find runs by name or id"
          placeholder="Name or id"
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <button
          type="button"
          className="btn primary"
          disabled={ticked.length === 0}
          onClick={() => props.onChoose([...ticked])}
        >
          {ticked.length === 0 ? 'Compare' : `Compare ${plural(ticked.length, 'run')}`}
        </button>
      </div>
      {query.isPending && <Loading rows={5} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && jobs.length === 0 && (
        <Empty title={text ? 'No job matches' : 'No jobs yet'}>Train a template twice, then compare.</Empty>
      )}
      <ul className="picker-list" aria-label="Jobs">
        {jobs.map((job) => (
          <PickRow
            key={job.id}
            job={job}
            now={now}
            ticked={ticked.includes(job.id)}
            disabled={ticked.length >= MOST_RUNS}
            onTick={() => toggle(job.id)}
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <button type="button" className="btn ghost" onClick={() => void query.fetchNextPage()}>
          Show older jobs
        </button>
      )}
    </div>
  );
}
