import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { api, unwrap } from '@/api/client';
import { sentence } from '@/ui/format';
import { helpFor, useHelp } from '../help/use-help';
import { PortGlyph } from '../view/port-glyph';
import { addOp } from './commands';
import { KINDS, type ProgramOp } from './graph';
import { opIndex } from './search';
import { useVertex, useVertexStore } from './store';

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
  const ops = useQuery(opsQuery).data ?? NO_OPS;
  const index = useMemo(() => opIndex(ops), [ops]);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const searching = query.trim() !== '';
  const found = searching ? index.search(query.trim()).map((hit) => hit.item.op) : ops;
  const take = (op: ProgramOp | undefined) => {
    if (!op) return;
    const { graph, selected, edit } = store.getState();
    void edit(addOp(graph, op, selected), `Add ${op.op}`);
    setQuery('');
    setActive(0);
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setActive((active + by + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') take(found[active]);
    else if (event.key === 'Escape') {
      setQuery('');
      event.currentTarget.blur();
    }
  };
  return (
    <aside className="palette" aria-label="Operations">
      <label className="palette-search">
        <IconSearch size={14} stroke={1.75} />
        <input
          data-palette-search
          value={query}
          disabled={readOnly}
          placeholder={readOnly ? 'Read only' : 'Add an op'}
          aria-label="Add an operation: search, then Enter"
          role="combobox"
          aria-expanded={searching}
          aria-controls="op-list"
          aria-activedescendant={searching && found[active] ? `op-${found[active].op}` : undefined}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={keys}
        />
        <kbd>/</kbd>
      </label>
      {searching ? (
        <div id="op-list" className="palette-list" role="listbox" aria-label="Operations found">
          {found.map((op, i) => (
            <OpItem key={op.op} op={op} active={i === active} option disabled={readOnly} onTake={take} />
          ))}
          {found.length === 0 && <p className="caption palette-none">No operation by “{query}”</p>}
        </div>
      ) : (
        <div id="op-list" className="palette-list">
          {[...new Set(ops.map((op) => op.group))].map((group) => (
            <section key={group} aria-label={group}>
              <div className="palette-group">{sentence(group)}</div>
              {ops
                .filter((op) => op.group === group)
                .map((op) => (
                  <OpItem key={op.op} op={op} disabled={readOnly} onTake={take} />
                ))}
            </section>
          ))}
        </div>
      )}
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
    </aside>
  );
}

interface ItemProps {
  op: ProgramOp;
  active?: boolean;
  option?: boolean;
  disabled: boolean;
  onTake: (op: ProgramOp) => void;
}

function OpItem({ op, active = false, option = false, disabled, onTake }: ItemProps) {
  const help = useHelp();
  const found = helpFor(help, op.op) ?? helpFor(help, op.ir ?? '');
  const lines = [op.doc, found?.doc, found?.rule, found?.example && `e.g. ${found.example}`];
  return (
    <button
      type="button"
      id={`op-${op.op}`}
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
