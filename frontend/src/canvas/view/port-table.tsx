import { portsOf } from '../model/catalog';
import type { DocNode } from '../model/document';
import { portKey, wiresInto } from '../model/document';
import { kindWord, shapeText, type ValueType } from '../model/value-types';
import { PortGlyph } from './port-glyph';
import { useEditor } from './store';

/** Every port of a node with its kind and, where it could be worked out, its shape. */
export function PortTable({ node }: { node: DocNode }) {
  const doc = useEditor((state) => state.history.doc);
  const catalog = useEditor((state) => state.catalog);
  const types = useEditor((state) => state.checks.types);
  const { inputs, outputs } = portsOf(catalog, doc, node);
  const rows = [
    ...inputs.flatMap((port) => {
      const wires = wiresInto(doc, { node: node.id, port: port.name });
      if (wires.length === 0)
        return [
          {
            key: `in ${port.name}`,
            port,
            type: undefined,
            state: port.optional ? 'optional' : 'not connected',
          },
        ];
      return wires.map((wire, i) => ({
        key: `in ${port.name} ${i}`,
        port,
        type: types.get(portKey(wire.source)),
        state: 'unknown',
      }));
    }),
    ...outputs.map((port) => ({
      key: `out ${port.name}`,
      port,
      type: types.get(portKey({ node: node.id, port: port.name })),
      state: 'unknown',
    })),
  ];
  return (
    <ul className="port-table">
      {rows.map(({ key, port, type, state }) => (
        <li key={key} title={port.doc}>
          <PortGlyph kind={port.kind} size={10} />
          <span>{port.name}</span>
          <code>{type ? shapeText(type as ValueType) : <span className="text-3">{state}</span>}</code>
          <span className="caption">{kindWord(port.kind)}</span>
        </li>
      ))}
    </ul>
  );
}
