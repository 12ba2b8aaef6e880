import { useDebouncedValue } from '@mantine/hooks';
import { memo, useMemo, useState } from 'react';
import { portsOf, titleOf } from '../model/catalog';
import { openConnection } from '../model/connect';
import { EMPTY_DOC, findNode } from '../model/document';
import { openEnds } from '../model/insert';
import type { Known } from '../model/shapes';
import { joinPorts } from './connect-actions';
import { useEditor, useEditorStore } from './store';

const REST_MS = 250;

/**
 * Every wire can be made by choosing from a list: what fits first, what does not with its reason. In a large model the list
 * is long, so it follows after a rest from typing, and not at all while layers are moved.
 */
export function ConnectTo({ id }: { id: string }) {
  const nodes = useEditor((state) => state.history.doc.nodes);
  const wires = useEditor((state) => state.history.doc.wires);
  const types = useEditor((state) => state.checks.types);
  const now = useMemo<Known>(() => ({ doc: { ...EMPTY_DOC, nodes, wires }, types }), [nodes, wires, types]);
  const [rested] = useDebouncedValue(now, REST_MS);
  return <Choices id={id} known={findNode(rested.doc, id) ? rested : now} />;
}

const Choices = memo(function Choices({ id, known: { doc, types } }: { id: string; known: Known }) {
  const store = useEditorStore();
  const catalog = useEditor((state) => state.catalog);
  const readOnly = useEditor((state) => state.readOnly);
  const node = findNode(doc, id);
  const outputs = node ? portsOf(catalog, doc, node).outputs : [];
  const [chosen, setChosen] = useState(outputs[0]?.name ?? '');
  if (outputs.length === 0)
    return <p className="caption">This layer gives no value, so no wire starts here.</p>;
  const from = { end: { node: id, port: chosen }, side: 'output' as const };
  const open = openConnection(doc, catalog, types, from);
  const choices = openEnds(catalog, doc, id).map(({ end }) => {
    const owner = findNode(doc, end.node);
    const verdict = open.judge({ end, side: 'input' });
    return {
      key: `${end.node}.${end.port}`,
      end,
      text: `${owner ? titleOf(catalog, owner) : end.node}.${end.port} (${end.node})`,
      verdict,
    };
  });
  const fitting = choices.filter((choice) => choice.verdict.ok);
  const others = choices.filter(
    (choice) => !choice.verdict.ok && choice.verdict.code !== 'already_connected',
  );
  return (
    <div className="row">
      {outputs.length > 1 && (
        <select
          className="field-look"
          aria-label="Output"
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
        >
          {outputs.map((port) => (
            <option key={port.name}>{port.name}</option>
          ))}
        </select>
      )}
      <select
        className="field-look grow"
        aria-label={`Connect ${chosen} to`}
        value=""
        disabled={readOnly || choices.length === 0}
        onChange={(event) => {
          const choice = choices.find((one) => one.key === event.target.value);
          const box = document.querySelector('.canvas')?.getBoundingClientRect();
          if (choice)
            joinPorts(store, from, { end: choice.end, side: 'input' }, { x: (box?.width ?? 0) - 180, y: 48 });
        }}
      >
        <option value="">{choices.length === 0 ? 'No other layer yet' : 'Connect to…'}</option>
        <optgroup label="Fits">
          {fitting.map((choice) => (
            <option key={choice.key} value={choice.key}>
              {choice.text}
            </option>
          ))}
        </optgroup>
        {others.length > 0 && (
          <optgroup label="Does not fit (says why)">
            {others.map((choice) => (
              <option key={choice.key} value={choice.key}>
                {choice.text}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </div>
  );
});
