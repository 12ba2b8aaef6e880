import './record-view.css';
import { bytes, number, seconds, sentence } from './format';

type Writer = (value: number) => string;

const SUFFIXES: readonly [string, Writer][] = [
  ['_bytes', bytes],
  ['_s', seconds],
  ['_ratio', (value) => `${number(value * 100)} %`],
];

/** A number with the unit its name promises: `epoch_s`, `peak_memory_bytes`. */
function figure(name: string, value: number): string {
  const [, write] = SUFFIXES.find(([suffix]) => name.endsWith(suffix)) ?? ['', number];
  return write(value);
}

function title(name: string): string {
  const suffix = SUFFIXES.find(([end]) => name.endsWith(end))?.[0] ?? '';
  return sentence(name.slice(0, name.length - suffix.length));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function Scalar({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'number') return <span title={String(value)}>{figure(name, value)}</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'string') return value;
  return <code>{JSON.stringify(value)}</code>;
}

const ROWS = 100;

function Rows({ items }: { items: Record<string, unknown>[] }) {
  const columns = [...new Set(items.slice(0, ROWS).flatMap((item) => Object.keys(item)))];
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{title(column)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.slice(0, ROWS).map((item, i) => (
            <tr key={JSON.stringify([i, item[columns[0]!]])}>
              {columns.map((column) => (
                <td key={column} className={typeof item[column] === 'number' ? 'num' : undefined}>
                  <Scalar name={column} value={item[column]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {items.length > ROWS && (
        <p className="caption record-more">
          First {ROWS} of {items.length}.
        </p>
      )}
    </div>
  );
}

/** Any JSON object, laid out to be read: figures with units first, then its parts. */
export function RecordView({
  value,
  omit = [],
}: {
  value: Record<string, unknown>;
  omit?: readonly string[];
}) {
  const entries = Object.entries(value).filter(([key]) => !omit.includes(key));
  const plain = entries.filter(([, inner]) => !isRecord(inner) && !isTable(inner));
  const parts = entries.filter(([, inner]) => isRecord(inner) || isTable(inner));
  return (
    <div className="stack tight">
      {plain.length > 0 && (
        <dl className="facts">
          {plain.map(([key, inner]) => (
            <div key={key} className="facts-row">
              <dt>{title(key)}</dt>
              <dd>
                <Scalar name={key} value={inner} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {parts.map(([key, inner]) => (
        <details
          key={key}
          className="record-part"
          open={entries.length < 12 && JSON.stringify(inner).length < 4000}
        >
          <summary>{title(key)}</summary>
          {isTable(inner) ? <Rows items={inner} /> : <RecordView value={inner as Record<string, unknown>} />}
        </details>
      ))}
    </div>
  );
}
