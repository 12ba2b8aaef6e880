import { useMemo } from 'react';
import type { Catalog } from '../model/catalog';
import type { ModelDoc } from '../model/document';
import { type Block, sketch } from '../model/sketch';
import { kindColour } from './port-glyph';
import './thumbnail.css';

/** A small drawing of a model in the canvas' own grammar: same columns, stacks and lane tints, without text. */
export function ModelThumbnail({ doc, catalog, label }: { doc: ModelDoc; catalog: Catalog; label?: string }) {
  const { blocks, links, lanes, width, height } = useMemo(() => sketch(catalog, doc), [catalog, doc]);
  if (blocks.length === 0) return <div className="thumbnail empty">Empty model</div>;
  return (
    <svg
      className="thumbnail"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      role="img"
      aria-label={label ?? `Drawing of a model with ${doc.nodes.length} layers`}
    >
      {lanes.map((lane) => (
        <rect
          key={lane.from}
          x={lane.from}
          y={-200}
          width={lane.to - lane.from}
          height={height + 400}
          fill="var(--lane)"
        />
      ))}
      {links.map((link) => (
        <path key={link.id} d={link.path} fill="none" stroke={kindColour(link.kind)} strokeWidth={2} />
      ))}
      {blocks.map((block) => (
        <BlockMark key={block.id} block={block} />
      ))}
    </svg>
  );
}

function BlockMark({ block }: { block: Block }) {
  return (
    <rect
      x={block.x}
      y={block.y}
      width={block.width}
      height={block.height}
      rx={4}
      fill={block.reads ? 'var(--accent-soft)' : 'var(--surface)'}
      stroke={block.reads ? 'var(--accent)' : 'var(--border-strong)'}
      strokeWidth={1.4}
    />
  );
}
