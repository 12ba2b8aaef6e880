import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { sentence } from '@/ui/format';

export interface PaletteItemProps<T> {
  item: T;
  /** What Enter would take. */
  active?: boolean;
  /** One of the found, not of the groups. */
  option?: boolean;
  onTake: (item: T) => void;
}

interface Props<T> {
  /** What is searched, in words: "layer". */
  noun: string;
  placeholder: string;
  disabled?: boolean;
  items: readonly T[];
  search: (query: string) => readonly T[];
  keyOf: (item: T) => string;
  groupOf: (item: T) => string;
  onTake: (item: T) => void;
  Item: (props: PaletteItemProps<T>) => ReactNode;
  /** Below the list: a legend. */
  children: ReactNode;
}

/** Things to add to a canvas, by group, or found by a few letters. A click takes one, Enter the one marked. */
export function SearchPalette<T>({ noun, items, search, keyOf, groupOf, onTake, Item, ...more }: Props<T>) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const searching = query.trim() !== '';
  const found = searching ? search(query.trim()) : [];
  const marked = found[active];
  const ask = (text: string) => {
    setQuery(text);
    setActive(0);
  };
  const take = (item: T | undefined) => {
    if (item === undefined) return;
    onTake(item);
    ask('');
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setActive((active + by + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') take(marked);
    else if (event.key === 'Escape') {
      setQuery('');
      event.currentTarget.blur();
    }
  };
  return (
    <aside className="palette" aria-label={plural(noun)}>
      <label className="palette-search">
        <IconSearch size={14} stroke={1.75} />
        <input
          data-palette-search
          value={query}
          disabled={more.disabled}
          placeholder={more.placeholder}
          aria-label={`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}: search, then Enter`}
          role="combobox"
          aria-expanded={searching}
          aria-controls="palette-list"
          aria-activedescendant={marked && paletteItemId(keyOf(marked))}
          onChange={(event) => ask(event.target.value)}
          onKeyDown={keys}
        />
        <kbd>/</kbd>
      </label>
      {searching ? (
        <div id="palette-list" className="palette-list" role="listbox" aria-label={`${plural(noun)} found`}>
          {found.map((item, i) => (
            <Item key={keyOf(item)} item={item} active={i === active} option onTake={take} />
          ))}
          {found.length === 0 && (
            <p className="caption palette-none">
              No {noun} by “{query}”
            </p>
          )}
        </div>
      ) : (
        <div
          id="palette-list"
          className="palette-list"
          // Items that cannot be added cannot be reached: the list itself can, to be scrolled by keyboard.
          tabIndex={more.disabled ? 0 : undefined}
        >
          {[...new Set(items.map(groupOf))].map((group) => (
            <section key={group} aria-label={group}>
              <div className="palette-group">{sentence(group)}</div>
              {items
                .filter((item) => groupOf(item) === group)
                .map((item) => (
                  <Item key={keyOf(item)} item={item} onTake={take} />
                ))}
            </section>
          ))}
        </div>
      )}
      {more.children}
    </aside>
  );
}

/** The id an item's element bears, by which the search box names the one that Enter takes. */
export const paletteItemId = (key: string) => `palette-${key}`;

const plural = (noun: string) => sentence(`${noun}s`);
