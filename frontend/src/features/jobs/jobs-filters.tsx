import { Select, TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import IconTag from '@tabler/icons-react/icons/IconTag';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { systemsQuery } from '@/api/catalog';
import type { JobsView } from './use-jobs-view';

const GROUPS: readonly { label: string; state: string | undefined }[] = [
  { label: 'All', state: undefined },
  { label: 'Running', state: 'starting,running,cancelling' },
  { label: 'Queued', state: 'queued' },
  { label: 'Succeeded', state: 'succeeded' },
  { label: 'Stopped', state: 'failed,cancelled,lost' },
];
const TYPING_MS = 250;

/** A filter that is typed freely and applied when the typing pauses. */
function TypedFilter(props: {
  label: string;
  placeholder: string;
  icon: ReactNode;
  value: string;
  width: number;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useState(props.value);
  const [known, setKnown] = useState(props.value);
  // Back and a chosen view change it from outside.
  if (known !== props.value) {
    setKnown(props.value);
    setText(props.value);
  }
  useEffect(() => {
    if (text === props.value) return;
    const timer = setTimeout(() => props.onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      aria-label={props.label}
      placeholder={props.placeholder}
      leftSection={props.icon}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      w={props.width}
    />
  );
}

/** State, kind, text and label. */
export function JobsFilters({ view, children }: { view: JobsView; children: ReactNode }) {
  const { search, change } = view;
  const { data: systems } = useQuery(systemsQuery);
  return (
    <div className="row wrap">
      <fieldset className="segments" aria-label="State">
        {GROUPS.map((group) => (
          <button
            key={group.label}
            type="button"
            aria-pressed={search.state === group.state}
            onClick={() => change({ state: group.state })}
          >
            {group.label}
          </button>
        ))}
      </fieldset>
      <Select
        aria-label="Kind"
        placeholder="Any kind"
        clearable
        data={(systems ?? []).map((system) => ({ value: system.kind, label: system.title }))}
        value={search.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
        w={128}
      />
      <TypedFilter
        label="Find a job by name or id"
        placeholder="Name or id"
        icon={<IconSearch size={14} />}
        value={search.q ?? ''}
        width={140}
        onChange={(q) => change({ q: q || undefined }, true)}
      />
      <TypedFilter
        label="Find jobs by a label"
        placeholder="label=value"
        icon={<IconTag size={14} />}
        value={search.label ?? ''}
        width={156}
        onChange={(label) => change({ label: label.trim() || undefined }, true)}
      />
      {children}
    </div>
  );
}
