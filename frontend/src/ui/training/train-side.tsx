import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import { startJob } from '@/api/jobs';
import { randomKey } from '@/api/key';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { bytes, count, duration, number } from '@/ui/format';
import { type Choice, useCheck, useEpochSeconds } from './choices';

function Estimate({
  choice,
  kind,
  datasetId,
  epochs,
}: {
  choice: Choice;
  kind: string;
  datasetId: string | null;
  epochs: number;
}) {
  const check = useCheck(choice.doc, datasetId);
  const epoch = useEpochSeconds(kind, choice.doc, datasetId);
  const { parameters = null, work = null } = check.data ?? {};
  return (
    <dl className="facts">
      <dt>Parameters</dt>
      <dd>{count(parameters)}</dd>
      {work && (
        <>
          <dt>Work of an epoch</dt>
          <dd>
            {work.flops < 1e9
              ? `${number(work.flops / 1e6, 3)} MFLOP`
              : `${number(work.flops / 1e9, 3)} GFLOP`}
          </dd>
          <dt>Kept for backward</dt>
          <dd>{bytes(work.activation_bytes)}</dd>
        </>
      )}
      <dt>Takes about</dt>
      <dd>
        {epoch === null
          ? 'not known before a first run'
          : `≈ ${duration(epoch * epochs)} for ${count(epochs)} epochs`}
      </dd>
    </dl>
  );
}

function Problems({ choice, datasetId }: { choice: Choice; datasetId: string | null }) {
  const problems = useCheck(choice.doc, datasetId).data?.problems.filter((p) => p.severity === 'error') ?? [];
  if (problems.length === 0) return null;
  return (
    <ul className="stack tight" role="alert">
      {problems.map((problem) => (
        <li key={`${problem.pointer} ${problem.code}`} className="text-err">
          {problem.message} {problem.hint}
        </li>
      ))}
    </ul>
  );
}

/** What is about to be trained, what it takes, and the button. */
export function TrainSide(props: {
  choice: Choice | null;
  kind: string;
  datasetId: string | null;
  epochs: number;
  ready: boolean;
  pending: boolean;
  /** What Start would ask for. */
  spec: () => object;
}) {
  const { choice, datasetId, epochs } = props;
  const catalog = useCatalog();
  return (
    <aside className="card train-side" aria-label="What will be trained">
      {choice && (
        <>
          <div className="train-drawing desk-only">
            <ModelThumbnail
              doc={docFrom(choice.doc)}
              catalog={catalog}
              label={`The layers of ${choice.label}`}
            />
          </div>
          <div className="desk-only">
            <Estimate choice={choice} kind={props.kind} datasetId={datasetId} epochs={epochs} />
          </div>
          <Problems choice={choice} datasetId={datasetId} />
        </>
      )}
      <div className="train-start">
        <button type="submit" className="btn primary" disabled={!props.ready || props.pending}>
          <IconPlayerPlay size={14} />
          {props.pending ? 'Starting' : 'Start'}
        </button>
        {props.ready && <CopyAs what="Start" call={() => startJob(props.spec(), randomKey())} />}
      </div>
    </aside>
  );
}
