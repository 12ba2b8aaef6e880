import './training.css';
import { Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { AnyRecord, Schemas } from '@/api/types';
import { count } from '@/ui/format';
import {
  defaultsOf,
  fieldsOf,
  type JsonSchema,
  problemsOf,
  resolve,
  type Value,
} from '@/ui/schema-form/fields';
import { SchemaForm } from '@/ui/schema-form/schema-form';
import { ErrorState, Loading } from '@/ui/states';
import type { SystemFormProps } from '@/ui/system-page';
import { type Choice, kindOf, pinned, readyDatasetsQuery, suits, useCheck, useChoice } from './choices';
import { CompareFields } from './compare-fields';
import { lookOf } from './goals';
import { PassStudyFields } from './pass-study-fields';
import { TaskFields, taskOf } from './task-fields';
import { TrainSide } from './train-side';
import type { Goal } from './types';

function firstChoice({ initial, params }: SystemFormProps): string | null {
  if (initial) return 'job';
  if (params.model) return `model:${params.model}`;
  return params.template ? `template:${params.template}` : null;
}

/** The schema of one part of the spec, with the definitions it refers to. */
function partOf(schema: JsonSchema, part: 'training' | 'compiler' | 'pass_study'): JsonSchema {
  const found = schema.properties?.[part] ?? {};
  // What may be left out is the one of its forms that is no null.
  const form = found.anyOf?.find((one) => one.type !== 'null') ?? found;
  return { ...resolve(form, schema), $defs: schema.$defs };
}

/** Pointers below one part of the spec, as seen from inside that part. */
function below(problems: Record<string, string>, prefix: string): Record<string, string> {
  const inside = Object.entries(problems).filter(([pointer]) => pointer.startsWith(`${prefix}/`));
  return Object.fromEntries(inside.map(([pointer, text]) => [pointer.slice(prefix.length), text]));
}

function ModelSelect(props: {
  value: string | null;
  onChange: (id: string) => void;
  initial: AnyRecord | null;
}) {
  const { templates, models } = useChoice(props.value, props.initial);
  const data = [
    ...(props.initial
      ? [{ group: 'This job', items: [{ value: 'job', label: 'Model of the earlier job' }] }]
      : []),
    {
      group: 'Templates',
      items: (templates.data ?? []).map((item) => ({ value: `template:${item.name}`, label: item.title })),
    },
    {
      group: 'Your models',
      items: (models.data ?? []).map((item) => ({ value: `model:${item.id}`, label: item.name })),
    },
  ].filter((group) => group.items.length > 0);
  return (
    <Select
      label="Model"
      description="A template, or a model of yours as its draft stands."
      placeholder="Pick a model"
      data={data}
      value={props.value}
      onChange={(id) => id && props.onChange(id)}
      allowDeselect={false}
      searchable
      required
    />
  );
}

function sizes({ info }: Schemas['DatasetItem']): string {
  const many = info && info.graphs > 1 ? `${count(info.graphs)} graphs, ` : '';
  return `${many}${count(info?.vertices)} vertices, ${count(info?.arcs)} arcs`;
}

function DatasetSelect(props: {
  kind: string;
  goal: Goal;
  value: string | null;
  onChange: (id: string) => void;
  error?: string;
}) {
  const { data } = useQuery(readyDatasetsQuery);
  const suited = data?.filter((item) => suits(item, props.kind, props.goal));
  const options = (suited ?? []).map((item) => ({ value: item.id, label: `${item.name} · ${sizes(item)}` }));
  const none = suited?.length === 0;
  return (
    <Select
      label="Dataset"
      description={
        none ? (
          <Link to="/datasets">No dataset for {lookOf(props.goal).title.toLowerCase()} yet: add one.</Link>
        ) : (
          lookOf(props.goal).wants
        )
      }
      placeholder="Pick a dataset"
      data={options}
      value={options.some((option) => option.value === props.value) ? props.value : null}
      onChange={(id) => id && props.onChange(id)}
      error={props.error}
      allowDeselect={false}
      searchable
      required
    />
  );
}

interface Sheet {
  choiceId: string | null;
  datasetId: string | null;
  /** What the user changed; the rest follows the picked model. */
  task: Value;
  training: Value;
  compiler: Value;
  /** Systems that train the same model afterwards. */
  compare: string[];
  /** Which passes are measured afterwards; null for none. */
  passStudy: AnyRecord | null;
  name: string;
  device: string;
}

/** What a job of that kind learns with such an output. */
function goalIn(kind: string, goal: string | null | undefined): string {
  if (kind === kindOf(true) && goal === 'link_prediction') return 'kg_link_prediction';
  return goal ?? 'node_classification';
}

/** The model decides which kind of job trains it: the sheet of the other one opens where it is not this one's. */
function useRightKind(kind: string, overRelations: boolean | undefined, { choiceId, datasetId }: Sheet) {
  const navigate = useNavigate();
  const wanted = overRelations === undefined ? kind : kindOf(overRelations);
  useEffect(() => {
    const [what, id] = (choiceId ?? '').split(':');
    if (wanted === kind || !what || !id) return;
    const search = { kind: wanted, [what]: id, ...(datasetId ? { dataset: datasetId } : {}) };
    void navigate({ to: '/jobs/new', search, replace: true });
  }, [wanted, kind, choiceId, datasetId, navigate]);
}

function useSheet(props: SystemFormProps) {
  const { initial, params, system } = props;
  const schema = system.spec_schema as JsonSchema;
  const [sheet, setSheet] = useState<Sheet>(() => ({
    choiceId: firstChoice(props),
    datasetId: (initial?.dataset as string | undefined) ?? params.dataset ?? null,
    task: (initial?.task ?? {}) as Value,
    training: (initial?.training ?? {}) as Value,
    compiler: { ...defaultsOf(partOf(schema, 'compiler')), ...(initial?.compiler as Value | undefined) },
    compare: (initial?.compare ?? []) as string[],
    passStudy: (initial?.pass_study ?? null) as AnyRecord | null,
    name: '',
    device: (initial?.device as string | undefined) ?? system.devices[0] ?? 'cpu',
  }));
  const { choice, error } = useChoice(sheet.choiceId, initial);
  const datasets = useQuery(readyDatasetsQuery);
  const training = useMemo(() => partOf(schema, 'training'), [schema]);
  const check = useCheck(choice?.doc, null);
  useRightKind(system.kind, check.data?.over_relations, sheet);
  const goal = (sheet.task.type ?? choice?.task.type ?? goalIn(system.kind, check.data?.goal)) as Goal;
  const suggested = choice?.task.type === goal ? choice.task : {};
  const task = taskOf(schema, goal, { ...suggested, ...sheet.task });
  const wished = sheet.datasetId ?? choice?.dataset ?? null;
  const dataset = datasets.data?.find((item) => item.id === wished && suits(item, system.kind, goal));
  const datasetId = dataset?.id ?? null;
  const value: Value = { ...defaultsOf(training), ...choice?.training, ...sheet.training };
  const name = choice
    ? `${choice.label === 'Model of the earlier job' ? (initial?.name as string) || 'Training' : `${choice.label} on ${dataset?.name ?? 'a dataset'}`}`
    : '';
  const change = (part: Partial<Sheet>) => setSheet((known) => ({ ...known, ...part }));
  return {
    sheet,
    change,
    choice,
    error,
    goal,
    task,
    training,
    datasetId,
    directed: dataset?.info?.directed ?? false,
    value,
    name,
    loading: sheet.choiceId !== null && !choice,
  };
}

function specFrom(
  kind: string,
  choice: Choice,
  datasetId: string,
  sheet: Sheet,
  name: string,
  task: Value,
  training: Value,
): AnyRecord {
  return {
    kind,
    name: sheet.name || name,
    device: sheet.device,
    model: choice.doc,
    model_ref: choice.ref,
    dataset: datasetId,
    task,
    training,
    compiler: sheet.compiler,
  };
}

/** The train sheet: what, on which graph, how. Everything is filled in; Start is one click away. */
export function TrainForm(props: SystemFormProps) {
  const { sheet, change, choice, error, goal, task, training, datasetId, directed, value, name, loading } =
    useSheet(props);
  const schema = props.system.spec_schema as JsonSchema;
  const compiler = useMemo(() => partOf(schema, 'compiler'), [schema]);
  const study = useMemo(() => partOf(schema, 'pass_study'), [schema]);
  const [busy, setBusy] = useState(false);
  const found = useMemo(() => problemsOf(fieldsOf(training), value), [training, value]);
  const { kind } = props.system;
  const studies = 'pass_study' in (schema.properties ?? {});
  const comparable =
    goal === 'node_classification' && (task.batches as Value | undefined)?.type !== 'sampled';
  if (error) return <ErrorState error={error} />;
  if (loading) return <Loading rows={8} />;
  const ready = choice !== null && datasetId !== null && Object.keys(found).length === 0;
  const spec = (): AnyRecord => ({
    ...specFrom(kind, choice!, datasetId!, sheet, name, task, value),
    compare: comparable ? sheet.compare : [],
    ...(studies && { pass_study: comparable ? sheet.passStudy : null }),
  });
  const submit = async (event: React.FormEvent) => {
    event.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    try {
      props.onSubmit({ ...spec(), model_ref: await pinned(choice) });
    } catch (reason) {
      notifications.show({
        color: 'red',
        title: 'The model could not be kept as a version',
        message: String(reason),
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="train-grid" onSubmit={(event) => void submit(event)} noValidate>
      <div className="card">
        <div className="train-section">
          <div className="form-fields">
            <ModelSelect
              value={sheet.choiceId}
              initial={props.initial}
              onChange={(choiceId) => change({ choiceId, task: {}, training: {} })}
            />
            <DatasetSelect
              kind={kind}
              goal={goal}
              value={datasetId}
              onChange={(id) => change({ datasetId: id })}
              error={props.problems['/dataset']}
            />
            <TextInput
              label="Name"
              description="How the job is listed."
              placeholder={name}
              value={sheet.name}
              maxLength={120}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            {props.system.devices.length > 1 && (
              <Select
                label="Device"
                description="Where it trains."
                data={props.system.devices.map((device) => ({ value: device, label: device.toUpperCase() }))}
                value={sheet.device}
                onChange={(device) => device && change({ device })}
                allowDeselect={false}
              />
            )}
          </div>
        </div>
        <TaskFields
          schema={schema}
          value={task}
          onChange={(next) => change({ task: next })}
          problems={{ ...below(props.problems, '/task'), '': props.problems['/task'] ?? '' }}
        />
        <div className="train-section">
          <h2>Training</h2>
          <SchemaForm
            schema={training}
            value={value}
            onChange={(next) => change({ training: next })}
            problems={{ ...below(props.problems, '/training'), ...found }}
          />
        </div>
        <div className="train-section">
          <h2>Compiler</h2>
          <SchemaForm
            schema={compiler}
            value={sheet.compiler}
            onChange={(next) => change({ compiler: next })}
            problems={below(props.problems, '/compiler')}
          />
        </div>
        <CompareFields
          schema={schema}
          value={sheet.compare}
          onChange={(compare) => change({ compare })}
          doc={choice?.doc}
          directed={directed}
          possible={comparable}
          error={props.problems['/compare']}
        />
        {studies && (
          <PassStudyFields
            schema={study}
            value={sheet.passStudy}
            onChange={(passStudy) => change({ passStudy })}
            possible={comparable}
            problems={{
              ...below(props.problems, '/pass_study'),
              '': props.problems['/pass_study'] ?? '',
            }}
          />
        )}
      </div>
      <TrainSide
        choice={choice}
        kind={kind}
        datasetId={datasetId}
        epochs={Number(value.epochs) || 0}
        ready={ready}
        pending={props.pending || busy}
        spec={spec}
      />
    </form>
  );
}
