import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A part whose module is fetched when it is first drawn, with `place` in its stead until then; `ahead` fetches at once.
 * React's own `lazy` waits 300 ms after the last place holder before it shows the next part, so a page of several such
 * parts comes piece by piece.
 */
export function late<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { place = null, ahead = false }: { place?: ReactNode; ahead?: boolean } = {},
): ComponentType<P> {
  let Part: ComponentType<P> | null = null;
  let coming: Promise<unknown> | null = null;
  const fetched = () => {
    coming ??= load().then((found) => {
      Part = found;
    });
    return coming;
  };
  // Who draws it says so if it fails.
  if (ahead) fetched().catch(() => {});
  return function Late(props: P) {
    const [, drawAgain] = useState(0);
    useEffect(() => {
      if (Part) return;
      const fail = (error: unknown) => () => {
        throw error;
      };
      fetched().then(
        () => drawAgain(1),
        (error: unknown) => drawAgain(fail(error)),
      );
    }, []);
    return Part ? <Part {...props} /> : place;
  };
}
