import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Job } from '@/api/types';
import { plural } from '@/ui/format';
import { ErrorState, Loading } from '@/ui/states';
import { TableScroll } from '@/ui/table-scroll';
import type { Plan } from './plans';
import { strategyQuery } from './runs';
import { type Split, sayPieces, splitsOf } from './splits';

const WIDTH = 28;
const HEIGHT = 14;
const MOST_LINES = 7; // more would be one grey

/** A tensor as a box cut into its pieces, the first device's filled. */
function Pieces({ pieces }: { pieces: Split['pieces'] }) {
  const rows = Math.min(pieces.get(0) ?? 1, MOST_LINES + 1);
  const columns = Math.min(pieces.get(1) ?? 1, MOST_LINES + 1);
  const lines = (n: number, size: number) => Array.from({ length: n - 1 }, (_, i) => ((i + 1) * size) / n);
  return (
    <svg className="pieces" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect className="pieces-first" width={WIDTH / columns} height={HEIGHT / rows} />
      {lines(rows, HEIGHT).map((y) => (
        <path key={`r${y}`} d={`M0 ${y}H${WIDTH}`} />
      ))}
      {lines(columns, WIDTH).map((x) => (
        <path key={`c${x}`} d={`M${x} 0V${HEIGHT}`} />
      ))}
      <rect className="pieces-all" x={0.5} y={0.5} width={WIDTH - 1} height={HEIGHT - 1} rx={2} />
    </svg>
  );
}

/** How weights and inputs of the chosen plan are cut. */
export function Splits({ job, plan }: { job: Job; plan: Plan }) {
  const query = useQuery(strategyQuery(job.id, plan.costed.artifact));
  const splits = useMemo(() => (query.data ? splitsOf(query.data) : []), [query.data]);
  if (query.isPending) return <Loading rows={4} label="Loading the strategy" />;
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      <div className="card-head plan-splits">
        <h3>Splits by tensor</h3>
        <span className="caption push">
          {plural(query.data.moves?.length ?? 0, 'value')} moved between layouts
        </span>
      </div>
      <TableScroll label="Splits by tensor" className="tall splits">
        <table className="table">
          <tbody>
            {splits.map(({ name, pieces }) => (
              <tr key={`${name} ${sayPieces(pieces)}`}>
                <td>
                  <span className="row">
                    <Pieces pieces={pieces} /> {name}
                  </span>
                </td>
                <td className="text-2">{sayPieces(pieces)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </>
  );
}
