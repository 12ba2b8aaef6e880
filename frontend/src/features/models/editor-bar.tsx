import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp';
import IconArrowForwardUp from '@tabler/icons-react/icons/IconArrowForwardUp';
import IconDatabase from '@tabler/icons-react/icons/IconDatabase';
import IconHierarchy from '@tabler/icons-react/icons/IconHierarchy2';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlayFilled';
import { useNavigate } from '@tanstack/react-router';
import { errorsIn, isAsking } from '@/canvas/model/checks';
import { redoName, undoName } from '@/canvas/model/history';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { count } from '@/ui/format';
import { late } from '@/ui/late';
import type { ModelItem } from './api';
import type { DraftSaver, SaveState } from './draft-saver';
import { ModelName } from './model-name';
import { SaveNote } from './save-note';
import { tidy } from './tidy';
import type { DatasetChoice } from './use-dataset';
import { VersionButton } from './version-button';

const FileMenu = late(() => import('./file-menu').then((file) => file.FileMenu), {
  place: <span className="btn ghost small icon-only desk-only" />,
});

interface BarProps {
  model: ModelItem;
  saver: DraftSaver;
  state: SaveState;
  dataset: DatasetChoice;
}

/** Name, save state, history, dataset, and the one primary button: Train. */
export function EditorBar({ model, saver, state, dataset }: BarProps) {
  const store = useEditorStore();
  return (
    <section className="editor-bar" aria-label="Model actions">
      <ModelName model={model} />
      <SaveNote state={state} />
      <span className="bar-rule desk-only" />
      <HistoryButtons />
      <button
        type="button"
        className="btn ghost small icon-only desk-only"
        aria-label="Auto-layout"
        title="Auto-layout (L)"
        onClick={() => void tidy(store)}
      >
        <IconHierarchy size={16} stroke={1.75} style={{ transform: 'rotate(-90deg)' }} />
      </button>
      <FileMenu model={model} saver={saver} datasetId={dataset.chosen?.id ?? null} />
      <span className="push row">
        <DatasetPicker dataset={dataset} />
        <VersionButton model={model} saver={saver} />
        <TrainButton model={model} saver={saver} datasetId={dataset.chosen?.id} />
      </span>
    </section>
  );
}

function HistoryButtons() {
  const store = useEditorStore();
  const back = useEditor((state) => undoName(state.history));
  const forth = useEditor((state) => redoName(state.history));
  const undoLabel = back === null ? 'Nothing to undo' : `Undo: ${back}`;
  const redoLabel = forth === null ? 'Nothing to redo' : `Redo: ${forth}`;
  return (
    <span className="row desk-only" style={{ gap: 0 }} data-commands="no">
      <button
        type="button"
        className="btn ghost small icon-only"
        disabled={back === null}
        aria-label={undoLabel}
        title={`${undoLabel} (Ctrl+Z)`}
        onClick={() => store.getState().undo()}
      >
        <IconArrowBackUp size={16} stroke={1.75} />
      </button>
      <button
        type="button"
        className="btn ghost small icon-only"
        disabled={forth === null}
        aria-label={redoLabel}
        title={`${redoLabel} (Ctrl+Y)`}
        onClick={() => store.getState().redo()}
      >
        <IconArrowForwardUp size={16} stroke={1.75} />
      </button>
    </span>
  );
}

function DatasetPicker({ dataset }: { dataset: DatasetChoice }) {
  const { ready, chosen, choose } = dataset;
  return (
    <label className="dataset-picker" title="The dataset whose sizes are shown on wires">
      <IconDatabase size={15} stroke={1.75} />
      <select
        aria-label="Dataset"
        value={chosen?.id ?? ''}
        disabled={ready.length === 0}
        onChange={(event) => choose(event.target.value)}
      >
        {chosen === null && <option value="">No dataset yet</option>}
        {ready.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
      {chosen?.info && (
        <span className="text-3 desk-only nowrap">
          N {count(chosen.info.vertices)} · E {count(chosen.info.arcs)}
        </span>
      )}
    </label>
  );
}

function TrainButton({
  model,
  saver,
  datasetId,
}: {
  model: ModelItem;
  saver: DraftSaver;
  datasetId: string | undefined;
}) {
  const navigate = useNavigate();
  const errors = useEditor((state) => errorsIn(state.checks));
  const asking = useEditor((state) => isAsking(state.checks));
  const train = async () => {
    await saver.flush().catch(() => undefined);
    const search = { kind: 'seastar', model: model.id, ...(datasetId ? { dataset: datasetId } : {}) };
    await navigate({ to: '/jobs/new', search });
  };
  const why = errors > 0 ? `${errors} problem${errors === 1 ? '' : 's'} to solve first` : undefined;
  return (
    <button
      type="button"
      className="btn primary"
      onClick={() => void train()}
      disabled={errors > 0}
      aria-busy={asking}
      title={why}
    >
      <IconPlayerPlay size={14} />
      Train
    </button>
  );
}
