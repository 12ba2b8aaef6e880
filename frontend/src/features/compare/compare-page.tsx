import './compare.css';
import { Modal, TextInput } from '@mantine/core';
import IconChartLine from '@tabler/icons-react/icons/IconChartLine';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useCallback, useMemo, useState } from 'react';
import { ChartViewsContext, useViewsText } from '@/ui/charts/chart-view';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { plural } from '@/ui/format';
import { Empty, ErrorState, Loading, Note } from '@/ui/states';
import { readComparison, useComparison, useLiveRuns } from './api';
import { DifferenceTable } from './difference-table';
import { OverlayCharts } from './overlay-charts';
import { RunList } from './run-list';
import { RunPicker } from './run-picker';
import { type Comparison, runsOf } from './runs';
import { type Compare, useCompare } from './use-compare';

function Missing({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <Note tone="warn" role="status">
      {ids.length === 1 ? 'A run is' : `${ids.length} runs are`} not there any more: {ids.join(', ')}.
    </Note>
  );
}

function Compared({ comparison, compare }: { comparison: Comparison; compare: Compare }) {
  const { search, places, change } = compare;
  const runs = useMemo(() => runsOf(comparison, search, places), [comparison, search, places]);
  const shown = runs.filter((run) => !run.isOff);
  const live = useLiveRuns(compare.ids, comparison);
  const keep = useCallback((view: string) => change({ view: view || undefined }, true), [change]);
  return (
    <ChartViewsContext.Provider value={useViewsText(search.view, keep)}>
      <Missing ids={comparison.missing} />
      <div className="stack compare">
        <RunList runs={runs} all={comparison.jobs.length} compare={compare} />
        <OverlayCharts comparison={comparison} runs={shown} compare={compare} live={live} />
        <DifferenceTable comparison={comparison} runs={shown} compare={compare} />
      </div>
    </ChartViewsContext.Provider>
  );
}

/** The first visit: what the page is for, and the runs to tick. */
function Start({ compare }: { compare: Compare }) {
  return (
    <section className="card clip">
      <Empty icon={IconChartLine} title="Tick two runs">
        Their curves are laid over one another, and a table says which settings and results differ.
      </Empty>
      <RunPicker chosen={compare.ids} onChoose={compare.setRuns} />
    </section>
  );
}

export default function ComparePage() {
  const compare = useCompare();
  const { ids, search, change } = compare;
  const [adding, setAdding] = useState(false);
  const query = useComparison(ids);
  return (
    <div className="page">
      <div className="page-title">
        <h1>Compare</h1>
        {ids.length > 0 && <span className="text-3">{plural(ids.length, 'run')}</span>}
        {ids.length > 0 && (
          <span className="push row">
            <TextInput
              aria-label="Filter the runs"
              placeholder="Name, label or state"
              value={search.q ?? ''}
              onChange={(event) => change({ q: event.currentTarget.value || undefined }, true)}
              w={200}
            />
            <CopyAs what="Compare these runs" call={() => readComparison(ids)} />
            <button type="button" className="btn" onClick={() => setAdding(true)}>
              <IconPlus size={14} />
              Add runs
            </button>
          </span>
        )}
      </div>
      {ids.length === 0 && <Start compare={compare} />}
      {ids.length > 0 && query.isPending && <Loading rows={8} label="Loading the runs" />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {ids.length > 0 && query.data && <Compared comparison={query.data} compare={compare} />}
      <Modal opened={adding} onClose={() => setAdding(false)} title="Add runs" size="lg" padding={0}>
        {adding && (
          <RunPicker
            chosen={ids}
            onChoose={(runs) => {
              compare.setRuns(runs);
              setAdding(false);
            }}
          />
        )}
      </Modal>
    </div>
  );
}
