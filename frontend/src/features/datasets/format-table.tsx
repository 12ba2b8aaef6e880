import type { Sources } from './api';

/** Which files are read, format by format. */
export function FormatTable({ formats }: { formats: Sources['formats'] }) {
  return (
    <details className="formats">
      <summary>Formats that are read</summary>
      <dl>
        {formats.map((format) => (
          <div key={format.name}>
            <dt>{format.title}</dt>
            <dd className="text-2">{format.files}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
