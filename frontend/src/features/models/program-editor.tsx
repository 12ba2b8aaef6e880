import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
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
}

/** The text of a vertex program, with what is wrong at its line. Loaded only where a program is edited. */
export default function ProgramEditor(props: EditorProps) {
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
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.source } });
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
    history(),
    lintGutter(),
    litLine,
    python(),
    bracketMatching(),
    indentUnit.of('    '),
    codeTheme,
    keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': 'Source of the vertex program' }),
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
