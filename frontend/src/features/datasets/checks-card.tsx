import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import type { DatasetDetail } from './api';

/** What was looked at when the dataset came in, as it ran. */
export function ChecksCard({ checks, notes }: { checks: DatasetDetail['checks']; notes: readonly string[] }) {
  const passed = checks.filter((check) => check.state === 'passed').length;
  const noted = checks.length - passed;
  return (
    <section className="card clip" aria-label="Checks at the door">
      <div className="card-head">
        <h2>Checks at the door</h2>
        <span className="push">
          <span className="status" data-tone="ok">
            <IconCircleCheck size={15} stroke={1.75} />
            {passed} passed
          </span>
          {noted > 0 && (
            <span className="status" data-tone="warn">
              <IconAlertTriangle size={15} stroke={1.75} />
              {noted} note{noted === 1 ? '' : 's'}
            </span>
          )}
        </span>
      </div>
      <ul className="checks">
        {checks.map((check) => (
          <li key={check.name} data-tone={check.state === 'passed' ? 'ok' : 'warn'}>
            {check.state === 'passed' ? (
              <IconCircleCheck size={15} stroke={1.75} aria-label="Passed" />
            ) : (
              <IconAlertTriangle size={15} stroke={1.75} aria-label="Note" />
            )}
            <span className="nowrap">{check.name}</span>
            <span className="caption">{check.detail}</span>
          </li>
        ))}
      </ul>
      {notes.length > 0 && (
        <div className="card-body">
          {notes.map((note) => (
            <p key={note} className="caption">
              {note}
            </p>
          ))}
        </div>
      )}
    </section>
  );
}
