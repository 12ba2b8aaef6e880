import type { CSSProperties, ReactNode } from 'react';

/** A table wider or longer than its place: scrolled by pointer, touch and, once focused, by the arrow keys. */
export function TableScroll(props: {
  label: string;
  className?: string;
  style?: CSSProperties;
  children: ReactNode;
}) {
  return (
    <section
      className={props.className ? `table-scroll ${props.className}` : 'table-scroll'}
      style={props.style}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={props.label}
    >
      {props.children}
    </section>
  );
}
