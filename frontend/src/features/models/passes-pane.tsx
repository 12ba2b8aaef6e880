import { useMemo } from 'react';
import { bytes, count, words } from '@/ui/format';
import type { Compilation, CompilerChoices } from './api';
import { changeText, type Figures, figures, MEASURES, type PassRow, passRows } from './passes-model';

interface PaneProps {
  data: Compilation;
  choices: CompilerChoices;
  onChoices: (choices: CompilerChoices) => void;
  /** Shows the program before and after the first run of a pass that changed it. */
  onPass: (pass: number) => void;
}

const MEMORY = { min: 'least memory', balanced: 'balanced', speed: 'speed' } as const;

/** What every pass of the compiler saves, with a switch for each; the other panes follow. */
export function PassesPane({ data, choices, onChoices, onPass }: PaneProps) {
  const rows = useMemo(() => passRows(data, choices.disabled), [data, choices.disabled]);
  const first = data.stages[0]?.before;
  const last = data.stages.at(-1)?.after;
  if (!first || !last) return <p className="pane dock-empty">No passes while the program has problems.</p>;
  const flip = ({ name, off }: PassRow) =>
    onChoices({
      ...choices,
      disabled: off ? choices.disabled.filter((one) => one !== name) : [...choices.disabled, name],
    });
  return (
    <div className="pane passes">
      <div className="pane-head">
        <span>
          Training one layer on {count(data.graph.vertices)} vertices and {count(data.graph.edges)} edges,
          float32
        </span>
        <label>
          Kept for the backward pass:{' '}
          <select
            value={choices.memory}
            onChange={(event) =>
              onChoices({ ...choices, memory: event.currentTarget.value as CompilerChoices['memory'] })
            }
          >
            {Object.entries(MEMORY).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th>Pass</th>
              {MEASURES.map((measure) => (
                <th key={measure.key} className="num" title={measure.hint}>
                  {measure.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Total name="Written, forward only" value={figures(first)} />
            {rows.map((row) => (
              <tr key={row.name} data-idle={!row.changed || undefined}>
                <td>
                  <label>
                    <input
                      type="checkbox"
                      checked={!row.off}
                      disabled={!row.optional}
                      onChange={() => flip(row)}
                    />
                    {words(row.name)}
                  </label>
                  {row.changed && (
                    <button
                      type="button"
                      className="link-button"
                      onClick={() => onPass(firstRun(data, row.name))}
                      aria-label={`Show the IR around ${words(row.name)}`}
                    >
                      IR
                    </button>
                  )}
                </td>
                {MEASURES.map(({ key, unit }) => (
                  <td key={key} className="num" data-gain={row.change[key] < 0 || undefined}>
                    {changeText(row.change[key], unit)}
                  </td>
                ))}
              </tr>
            ))}
            <Total name="Run, forward and backward" value={figures(last)} />
          </tbody>
        </table>
      </div>
    </div>
  );
}

function firstRun(data: Compilation, name: string): number {
  return data.stages.findIndex((stage) => stage.name === name && stage.changed);
}

function Total({ name, value }: { name: string; value: Figures }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {MEASURES.map(({ key, unit }) => (
        <th key={key} className="num">
          {unit === 'bytes' ? bytes(value[key]) : count(value[key])}
        </th>
      ))}
    </tr>
  );
}
