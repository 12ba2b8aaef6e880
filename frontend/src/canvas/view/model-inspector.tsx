import { KeyList } from '@/ui/commands/command-keys';
import { showKeys, useRegistry } from '@/ui/commands/registry';
import { errorsIn, isAsking } from '../model/checks';
import { useEditor } from './store';

/** The whole model while nothing is selected. */
export function ModelInspector() {
  const layers = useEditor((state) => state.history.doc.nodes.length);
  const wires = useEditor((state) => state.history.doc.wires.length);
  const checks = useEditor((state) => state.checks);
  const errors = errorsIn(checks);
  const lists = useRegistry((state) => state.lists);
  const basics = lists.flat().filter((command) => command.basic && command.group !== 'Anywhere');
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
          <dd>{errors > 0 ? errors : isAsking(checks) && layers > 0 ? 'checking…' : 'none'}</dd>
        </dl>
      </section>
      <section className="desk-only">
        <h3>Keys</h3>
        <KeyList commands={basics} />
        <button type="button" className="btn small" onClick={() => showKeys()}>
          All keys <kbd>?</kbd>
        </button>
      </section>
    </>
  );
}
