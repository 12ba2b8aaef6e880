import { useMemo, useRef, useState } from 'react';
import type { ModelDoc } from '@/canvas/model/document';
import { useWidth } from '@/ui/charts/use-width';
import { plural } from '@/ui/format';
import { documentText, programsText } from './document-text';
import { changedPart, folded, type Row, rowsOf, type Side } from './line-diff';

interface TextProps {
  before: ModelDoc;
  after: ModelDoc;
  names: readonly [string, string];
}

/** Programs and the document itself, side by side; one under the other where there is no room. Loaded only here. */
export function TextDiff({ before, after, names }: TextProps) {
  const programs = useMemo(() => [programsText(before), programsText(after)] as const, [before, after]);
  const layers = useMemo(() => [documentText(before), documentText(after)] as const, [before, after]);
  return (
    <div className="text-diffs">
      {(programs[0] || programs[1]) && <Compared title="Vertex programs" texts={programs} names={names} />}
      <Compared title="Layers and settings" texts={layers} names={names} />
    </div>
  );
}

interface ComparedProps {
  title: string;
  texts: readonly [string, string];
  names: readonly [string, string];
}

const WIDE = 760;

function Compared({ title, texts, names }: ComparedProps) {
  const box = useRef<HTMLElement>(null);
  const width = useWidth(box, window.innerWidth);
  const rows = useMemo(() => rowsOf(...texts), [texts]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const wide = width >= WIDE;
  const draw = (row: Row, key: number) =>
    wide ? <Both key={key} row={row} /> : <Alone key={key} row={row} />;
  return (
    <figure className="text-diff" ref={box}>
      <figcaption>
        <b>{title}</b>
        <span className="caption">
          {texts[0] === texts[1]
            ? 'no difference'
            : `${names[0]} ${wide ? 'left' : '−'}, ${names[1]} ${wide ? 'right' : '+'}`}
        </span>
      </figcaption>
      <table
        className="compared"
        data-wide={wide || undefined}
        aria-label={`${title}, ${names[0]} and ${names[1]}`}
      >
        <tbody>
          {folded(rows).map((one, i) =>
            'same' in one ? (
              draw(one, i)
            ) : open.has(one[0]) ? (
              rows.slice(...one).map((row, k) => draw(row, i * 1e6 + k))
            ) : (
              <tr key={i}>
                <td colSpan={wide ? 4 : 3} className="compared-fold">
                  <button type="button" onClick={() => setOpen(new Set([...open, one[0]]))}>
                    Show {plural(one[1] - one[0], 'line')} that {one[1] - one[0] === 1 ? 'is' : 'are'} the
                    same
                  </button>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </figure>
  );
}

const SIGNS = { before: '−', after: '+' } as const;
type Which = keyof typeof SIGNS;

function Both({ row }: { row: Row }) {
  const cells = (which: Which) => (
    <>
      <th scope="row">{row[which]?.line}</th>
      <Text row={row} which={which} />
    </>
  );
  return (
    <tr>
      {cells('before')}
      {cells('after')}
    </tr>
  );
}

/** In one column: what went above what came. */
function Alone({ row }: { row: Row }) {
  const sides: readonly Which[] = row.same ? ['after'] : ['before', 'after'];
  return sides
    .filter((which) => row[which])
    .map((which) => (
      <tr key={which}>
        <th scope="row">{row.same || which === 'before' ? row.before?.line : ''}</th>
        <th scope="row">{which === 'after' ? row.after?.line : ''}</th>
        <Text row={row} which={which} />
      </tr>
    ));
}

function Text({ row, which }: { row: Row; which: Which }) {
  const side = row[which];
  if (!side) return <td className="compared-none" />;
  const other = row[which === 'before' ? 'after' : 'before'];
  return (
    <td data-side={row.same ? undefined : which}>
      <i aria-hidden={row.same}>{row.same ? ' ' : SIGNS[which]}</i>
      {row.same || !other ? side.text : <Changed side={side} other={other} which={which} />}
    </td>
  );
}

function Changed({ side, other, which }: { side: Side; other: Side; which: Which }) {
  const [head, tail] = changedPart(side.text, other.text);
  const end = side.text.length - tail;
  const Tag = which === 'before' ? 'del' : 'ins';
  return (
    <>
      {side.text.slice(0, head)}
      {end > head && <Tag>{side.text.slice(head, end)}</Tag>}
      {side.text.slice(end)}
    </>
  );
}
