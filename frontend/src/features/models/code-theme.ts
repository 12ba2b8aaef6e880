import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-kw)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))],
    color: 'var(--code-fn)',
  },
  { tag: tags.number, color: 'var(--code-num)' },
  { tag: tags.string, color: 'var(--code-str)' },
  { tag: tags.comment, color: 'var(--code-com)' },
]);

/** Code in the colours of the pages, light and dark. */
export const codeTheme = syntaxHighlighting(colours);
