import type { LayerInfo } from '../model/catalog';
import { PortGlyph } from './port-glyph';

/** What a layer takes and gives, in glyphs. */
export function Signature({ layer }: { layer: LayerInfo }) {
  const needs = layer.inputs.filter((port) => !port.optional);
  return (
    <span className="signature" aria-hidden="true">
      {needs.map((port) => (
        <PortGlyph key={port.name} kind={port.kind} size={9} />
      ))}
      {needs.length > 0 && <i>→</i>}
      {layer.outputs.map((port) => (
        <PortGlyph key={port.name} kind={port.kind} size={9} />
      ))}
    </span>
  );
}
