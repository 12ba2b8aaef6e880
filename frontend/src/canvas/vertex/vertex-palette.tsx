import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { helpFor, useHelp } from '../help/use-help';
import { PortGlyph } from '../view/port-glyph';
import { type PaletteItemProps, paletteItemId, SearchPalette } from '../view/search-palette';
import { addOp } from './commands';
import { KINDS, type ProgramOp } from './graph';
import { searchOps } from './search';
import { isClosed, useVertex, useVertexStore } from './store';

const opsQuery = {
  queryKey: ['program-ops'],
  queryFn: async () => (await unwrap(api().GET('/api/v1/program-ops'))).items,
  staleTime: Number.POSITIVE_INFINITY,
};
const NO_OPS: readonly ProgramOp[] = [];

/** Every operation of the language, found by a few letters. It goes into the selected wire, or behind the selected node. */
export function VertexPalette() {
  const store = useVertexStore();
  const readOnly = useVertex((state) => state.readOnly);
  const closed = useVertex(isClosed);
  const ops = useQuery(opsQuery).data ?? NO_OPS;
  const take = (op: ProgramOp) => {
    const { graph, selected, edit } = store.getState();
    void edit(addOp(graph, op, selected), `Add ${op.op}`);
  };
  return (
    <SearchPalette
      noun="operation"
      placeholder={readOnly ? 'Read only' : 'Add an op'}
      disabled={closed}
      items={ops}
      search={(query) => searchOps(ops, query)}
      keyOf={(op) => op.op}
      groupOf={(op) => op.group}
      onTake={take}
      Item={OpItem}
    >
      <Legend />
    </SearchPalette>
  );
}

function Legend() {
  return (
    <div className="palette-legend">
      {Object.entries(KINDS)
        .filter(([place]) => place !== 'destination')
        .map(([place, { glyph, word }]) => (
          <span key={place} className="row">
            <PortGlyph kind={glyph} size={9} />
            {word}
          </span>
        ))}
    </div>
  );
}

function OpItem({ item: op, active = false, option = false, onTake }: PaletteItemProps<ProgramOp>) {
  const disabled = useVertex(isClosed);
  const help = useHelp();
  const found = helpFor(help, op.op) ?? helpFor(help, op.ir ?? '');
  const lines = [op.doc, found?.doc, found?.rule, found?.example && `e.g. ${found.example}`];
  return (
    <button
      type="button"
      id={paletteItemId(op.op)}
      {...(option ? { role: 'option', 'aria-selected': active } : {})}
      className="palette-item"
      data-active={active || undefined}
      disabled={disabled}
      title={lines.filter(Boolean).join('\n')}
      onClick={() => onTake(op)}
    >
      <span className="ellipsis">{op.op}</span>
      <span className="signature">
        <PortGlyph kind={op.listed ? 'edge' : 'vertex'} size={9} />
        {op.group === 'dense' && op.op !== 'dot' && <PortGlyph kind="param" size={9} />}
        <i>→</i>
        <PortGlyph kind={op.op === 'softmax' ? 'edge' : 'vertex'} size={9} />
      </span>
    </button>
  );
}
