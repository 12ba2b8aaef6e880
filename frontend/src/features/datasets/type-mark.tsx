import { classColour } from './class-colour';
import { markPath } from './marks';

/** The mark of a type beside its name. */
export function TypeMark({ type }: { type: number }) {
  return (
    <svg className="type-mark" width={14} height={14} viewBox="-7 -7 14 14" aria-hidden="true">
      <path d={markPath(type, 5.5)} fill={classColour(type)} />
    </svg>
  );
}
