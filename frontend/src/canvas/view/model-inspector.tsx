import { errorsIn } from '../model/checks';
import { useEditor } from './store';

const KEYS: readonly (readonly [string, string])[] = [
  ['/ or N', 'add a layer'],
  ['Tab, arrows', 'choose and move layers'],
  ['Enter', 'edit what is selected'],
  ['Delete', 'remove it'],
  ['Ctrl Z, Ctrl Y', 'undo, redo'],
  ['Ctrl C, V, D', 'copy, paste, duplicate'],
  ['Shift drag', 'select in a box'],
  ['[ and ]', 'select all before, all after'],
  ['Ctrl G, E', 'group, fold a group'],
  ['C', 'write a note'],
  ['L, F', 'auto-layout, fit in view'],
];

/** The whole model while nothing is selected. */
export function ModelInspector() {
  const layers = useEditor((state) => state.history.doc.nodes.length);
  const wires = useEditor((state) => state.history.doc.wires.length);
  const checks = useEditor((state) => state.checks);
  const errors = errorsIn(checks);
  return (
    <>
      <section>
        <h2>Model</h2>
        <dl className="facts">
          <dt>Layers</dt>
          <dd>{layers}</dd>
          <dt>Wires</dt>
          <dd>{wires}</dd>
          <dt>Parameters</dt>
          <dd>
            {checks.parameters === null ? 'once sizes are known' : checks.parameters.toLocaleString('en-US')}
          </dd>
          <dt>Problems</dt>
          <dd>{checks.stale && layers > 0 ? 'checking…' : errors === 0 ? 'none' : errors}</dd>
        </dl>
      </section>
      <section className="desk-only">
        <h3>Keys</h3>
        <dl className="keys">
          {KEYS.map(([key, deed]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{deed}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
