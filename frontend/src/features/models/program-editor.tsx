import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Problem } from '@/canvas/model/checks';
import { codeTheme } from './code-theme';

interface EditorProps {
  source: string;
  problems: readonly Problem[];
  /** Lines to light, from 1. */
  lines: ReadonlySet<number>;
  onLine: (line: number | null) => void;
  onChange: (source: string) => void;
  onLeave: () => void;
  readOnly?: boolean;
  label?: string;
  /** The steps of the whole editor; without them the text keeps its own. */
  steps?: { undo: () => void; redo: () => void };
}

/** The text of a vertex program, with what is wrong at its line. Loaded only where a program is edited. */
export function ProgramEditor(props: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (!box.current) return;
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({ doc: latest.current.source, extensions: extensions(latest) }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    const text = editor?.state.doc.toString();
    if (editor && text !== props.source) {
      editor.dispatch({ changes: changed(text ?? '', props.source), annotations: fromOutside.of(true) });
    }
  }, [props.source]);
  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnostics(editor, props.problems)));
  }, [props.problems]);
  useEffect(() => {
    view.current?.dispatch({ effects: lightLines.of(props.lines) });
  }, [props.lines]);
  return <div ref={box} className="program-editor" />;
}

const fromOutside = Annotation.define<boolean>();

/** The stretch that differs, so that the caret and what is on screen stay where they are. */
function changed(before: string, after: string) {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

const lightLines = StateEffect.define<ReadonlySet<number>>();
const lit = Decoration.line({ attributes: { class: 'cm-lit' } });

const litLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, change) {
    for (const effect of change.effects) {
      if (!effect.is(lightLines)) continue;
      const known = [...effect.value].filter((line) => line >= 1 && line <= change.state.doc.lines);
      return Decoration.set(
        known.sort((a, b) => a - b).map((line) => lit.range(change.state.doc.line(line).from)),
      );
    }
    return lines.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function extensions(latest: { current: EditorProps }) {
  return [
    lineNumbers(),
    ...keysOf(latest.current.steps),
    lintGutter(),
    litLine,
    python(),
    bracketMatching(),
    indentUnit.of('    '),
    codeTheme,
    keymap.of([indentWithTab, ...defaultKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': latest.current.label ?? 'Source of the vertex program' }),
    EditorState.changeFilter.of(
      (change) => change.annotation(fromOutside) === true || !latest.current.readOnly,
    ),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        const text = update.state.doc.toString();
        if (text !== latest.current.source) latest.current.onChange(text);
      }
      if (update.focusChanged && !update.view.hasFocus) latest.current.onLeave();
    }),
    EditorView.domEventHandlers({
      mousemove: (event, editor) => {
        const at = editor.posAtCoords({ x: event.clientX, y: event.clientY });
        latest.current.onLine(at === null ? null : editor.state.doc.lineAt(at).number);
      },
      mouseleave: () => latest.current.onLine(null),
    }),
  ];
}

/** Undo by key: the editor's own steps where it is told of them, so that text and canvas are taken back in one order. */
function keysOf(steps: EditorProps['steps']) {
  if (!steps) return [history(), keymap.of([...historyKeymap])];
  const run = (act: () => void) => () => {
    act();
    return true;
  };
  return [
    keymap.of([
      { key: 'Mod-z', run: run(steps.undo), preventDefault: true },
      { key: 'Mod-Shift-z', run: run(steps.redo), preventDefault: true },
      { key: 'Mod-y', run: run(steps.redo), preventDefault: true },
    ]),
  ];
}

function diagnostics(editor: EditorView, problems: readonly Problem[]): Diagnostic[] {
  return problems.flatMap((problem) => {
    const number = problem.line ?? 1;
    if (number < 1 || number > editor.state.doc.lines) return [];
    const line = editor.state.doc.line(number);
    const from = Math.min(line.to, line.from + Math.max(0, (problem.column ?? 1) - 1));
    const severity = problem.severity === 'warning' ? 'warning' : 'error';
    return [
      { from, to: line.to, severity, message: [problem.message, problem.hint].filter(Boolean).join('\n') },
    ];
  });
}
