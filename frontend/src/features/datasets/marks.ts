/** Shapes of types, inside a circle of radius 1: a type is told by its shape as well as by its colour. */
const SHAPES: readonly (readonly (readonly [number, number])[])[] = [
  polygon(24, 0),
  polygon(4, Math.PI / 4),
  polygon(3, -Math.PI / 2),
  polygon(4, 0),
  polygon(6, 0),
  star(5),
  polygon(5, -Math.PI / 2),
  polygon(3, Math.PI / 2),
];
export const SHAPE_NAMES = [
  'circle',
  'square',
  'triangle',
  'diamond',
  'hexagon',
  'star',
  'pentagon',
  'turned triangle',
] as const;

/** The path of a type's mark around (0, 0). Past eight types colours begin again, one shape further on. */
export function markPath(type: number, radius: number): string {
  const points = SHAPES[shapeOf(type)] ?? [];
  return `M${points.map(([x, y]) => `${(x * radius).toFixed(2)} ${(y * radius).toFixed(2)}`).join('L')}Z`;
}

export function shapeName(type: number): string {
  return SHAPE_NAMES[shapeOf(type)] ?? 'circle';
}

function shapeOf(type: number): number {
  return (type + Math.floor(type / SHAPES.length)) % SHAPES.length;
}

function polygon(corners: number, turn: number): [number, number][] {
  return Array.from({ length: corners }, (_, k) => {
    const angle = turn + (2 * Math.PI * k) / corners;
    return [Math.cos(angle), Math.sin(angle)];
  });
}

function star(points: number): [number, number][] {
  return Array.from({ length: 2 * points }, (_, k) => {
    const angle = -Math.PI / 2 + (Math.PI * k) / points;
    const reach = k % 2 === 0 ? 1.15 : 0.5;
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  });
}
