import './jobs.css';
import IconRocket from '@tabler/icons-react/icons/IconRocket';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { systemsQuery } from '@/api/catalog';
import { jobQuery, useCreateJob } from '@/api/jobs';
import { randomKey } from '@/api/key';
import { ApiProblem } from '@/api/problem';
import type { AnyRecord, System } from '@/api/types';
import { Empty, ErrorState, Loading, Note } from '@/ui/states';
import { useSystemPage } from '@/ui/system-page';
import { useTitle } from '@/ui/title';
import { GenericForm } from './generic-form';
import { newJobPage } from './route';

/** Server pointers are into the request; forms know only the spec inside it. */
function problemsByPointer(error: unknown): Record<string, string> {
  if (!(error instanceof ApiProblem)) return {};
  const text = (message: string, hint?: string) => (hint ? `${message} ${hint}` : message);
  return Object.fromEntries(
    error.errors.map((item) => [item.pointer.replace(/^\/spec(?=\/)/, ''), text(item.message, item.hint)]),
  );
}

function Choose({ systems }: { systems: readonly System[] }) {
  return (
    <ul className="kind-list">
      {systems.map((system) => (
        <li key={system.kind}>
          <Link className="card kind-card" to="/jobs/new" search={{ kind: system.kind }}>
            <b>{system.title}</b>
            <span className="text-2">{system.description}</span>
            <span className="caption">
              Runs on {system.devices.map((device) => device.toUpperCase()).join(' or ')}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function StartForm({ system, initial }: { system: System; initial: AnyRecord | null }) {
  const navigate = useNavigate();
  const create = useCreateJob();
  const [key] = useState(randomKey);
  const { kind: _kind, from: _from, ...params } = newJobPage.useSearch();
  const Form = useSystemPage(system.kind).Form ?? GenericForm;
  const problems = useMemo(() => problemsByPointer(create.error), [create.error]);
  const submit = (spec: AnyRecord) =>
    create.mutate(
      { spec: { ...spec, kind: system.kind }, key },
      { onSuccess: (job) => void navigate({ to: '/jobs/$id', params: { id: job.id } }) },
    );
  return (
    <>
      {create.error && (
        <Note tone="err" role="alert">
          <b>The job was not started.</b> {create.error.message}
        </Note>
      )}
      <Form
        system={system}
        initial={initial}
        params={params as Record<string, string>}
        pending={create.isPending || create.isSuccess}
        problems={problems}
        onSubmit={submit}
      />
    </>
  );
}

/** Waits for the job a clone starts from. */
function Filled({ system, from }: { system: System; from: string }) {
  const query = useQuery(jobQuery(from, useQueryClient()));
  if (query.isPending) return <Loading rows={6} />;
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return <StartForm system={system} initial={query.data.spec as unknown as AnyRecord} />;
}

export default function NewJobPage() {
  const { kind, from } = newJobPage.useSearch();
  const query = useQuery(systemsQuery);
  const system = query.data?.find((item) => item.kind === kind);
  const title = system ? system.title : 'New job';
  useTitle(title);
  return (
    <div className="page narrow">
      <div className="page-title">
        <h1>{title}</h1>
        {system && <span className="text-3 grow">{system.description}</span>}
      </div>
      {query.isPending && <Loading rows={6} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.data && !kind && <Choose systems={query.data} />}
      {query.data && kind && !system && (
        <Empty
          icon={IconRocket}
          title={`There is no job kind ${kind}`}
          action={
            <Link className="btn" to="/jobs/new">
              See all kinds
            </Link>
          }
        />
      )}
      {system &&
        (from ? (
          <Filled system={system} from={from} />
        ) : (
          <StartForm key={system.kind} system={system} initial={null} />
        ))}
    </div>
  );
}
