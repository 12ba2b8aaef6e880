import { json } from '@codemirror/lang-json';
import { python } from '@codemirror/lang-python';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useMemo, useRef } from 'react';
import type { ModelDoc } from '@/canvas/model/document';
import { codeTheme } from '../code-theme';
import { documentText, programsText } from './document-text';

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
      {(programs[0] || programs[1]) && (
        <Merge title="Vertex programs" texts={programs} names={names} language={python()} />
      )}
      <Merge title="Layers and settings" texts={layers} names={names} language={json()} />
    </div>
  );
}

interface MergeProps {
  title: string;
  texts: readonly [string, string];
  names: readonly [string, string];
  language: Extension;
}

const WIDE = 760;

function Merge({ title, texts, names, language }: MergeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const view = parent.clientWidth >= WIDE ? sideBySide(parent) : inOne(parent);
    return () => view.destroy();

    function sideBySide(place: HTMLElement) {
      const [a, b] = texts.map((doc, i) => ({ doc, extensions: read(`${title}, ${names[i]}`) }));
      return new MergeView({
        parent: place,
        a: a ?? { doc: '' },
        b: b ?? { doc: '' },
        gutter: true,
        collapseUnchanged: { margin: 3, minSize: 6 },
      });
    }
    function inOne(place: HTMLElement) {
      const merged = unifiedMergeView({
        original: texts[0],
        mergeControls: false,
        collapseUnchanged: { margin: 3, minSize: 6 },
      });
      return new EditorView({ parent: place, doc: texts[1], extensions: [read(title), merged] });
    }
    function read(label: string): Extension[] {
      return [
        lineNumbers(),
        language,
        codeTheme,
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
      ];
    }
  }, [texts, names, language, title]);
  return (
    <figure className="text-diff">
      <figcaption>
        <b>{title}</b>
        <span className="caption">
          {texts[0] === texts[1] ? 'no difference' : `${names[0]} left, ${names[1]} right`}
        </span>
      </figcaption>
      <div ref={box} className="merge" />
    </figure>
  );
}
