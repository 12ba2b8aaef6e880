import { Menu } from '@mantine/core';
import IconEye from '@tabler/icons-react/icons/IconEye';
import IconEyeOff from '@tabler/icons-react/icons/IconEyeOff';
import IconPin from '@tabler/icons-react/icons/IconPin';
import IconPinFilled from '@tabler/icons-react/icons/IconPinFilled';
import IconX from '@tabler/icons-react/icons/IconX';
import { Link } from '@tanstack/react-router';
import { LineMark } from '@/ui/charts/legend';
import { lookOf } from '@/ui/charts/run-looks';
import { Status } from '@/ui/status';
import { type Run, titlesOf } from './runs';
import type { Compare } from './use-compare';

// The first rounds are the easiest to tell apart.
const OFFERED = 32;

/** The run's line; pressing it offers others. Taking one that another run has exchanges the two. */
function LookButton({ run, title, compare }: { run: Run; title: string; compare: Compare }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className="look-button" aria-label={`Line of ${title}: choose another`}>
          <LineMark look={run.look} />
        </button>
      </Menu.Target>
      <Menu.Dropdown className="look-menu">
        {Array.from({ length: OFFERED }, (_, place) => (
          <Menu.Item
            key={place}
            aria-label={`Line ${place + 1}${compare.places.includes(place) ? ', taken: exchange' : ''}`}
            data-current={place === run.place}
            onClick={() => compare.setPlace(run.job.id, place)}
          >
            <LineMark look={lookOf(place)} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function RunRow({ run, title, compare }: { run: Run; title: string; compare: Compare }) {
  const { job } = run;
  const Eye = run.isOff ? IconEyeOff : IconEye;
  const Pin = run.isBase ? IconPinFilled : IconPin;
  return (
    <li data-off={run.isOff}>
      <LookButton run={run} title={title} compare={compare} />
      <Link className="ellipsis" to="/jobs/$id" params={{ id: job.id }} title={`${job.name} ${job.id}`}>
        {title}
      </Link>
      <Status state={job.state} iconOnly />
      <button
        type="button"
        className="btn ghost small icon-only"
        aria-pressed={!run.isOff}
        aria-label={`Show ${title}`}
        title={run.isOff ? 'Show' : 'Put away'}
        onClick={() => compare.toggleOff(job.id)}
      >
        <Eye size={14} stroke={1.75} />
      </button>
      <button
        type="button"
        className="btn ghost small icon-only"
        aria-pressed={run.isBase}
        aria-label={`Measure the others by ${title}`}
        title="Baseline"
        onClick={() => compare.change({ base: run.isBase ? undefined : job.id })}
      >
        <Pin size={14} stroke={1.75} />
      </button>
      <button
        type="button"
        className="btn ghost small icon-only"
        aria-label={`Remove ${title}`}
        title="Remove"
        onClick={() => compare.setRuns(compare.ids.filter((id) => id !== job.id))}
      >
        <IconX size={14} stroke={1.75} />
      </button>
    </li>
  );
}

/** The runs with their lines: the legend of every chart of the page. */
export function RunList({ runs, all, compare }: { runs: readonly Run[]; all: number; compare: Compare }) {
  const titles = titlesOf(runs);
  return (
    <section className="card clip run-list" aria-label="Runs">
      <div className="card-head">
        <h2>Runs</h2>
        {runs.length < all && (
          <span className="caption">
            {runs.length} of {all} match
          </span>
        )}
      </div>
      <ul>
        {runs.map((run) => (
          <RunRow key={run.job.id} run={run} title={titles.get(run.job.id)!} compare={compare} />
        ))}
      </ul>
    </section>
  );
}
