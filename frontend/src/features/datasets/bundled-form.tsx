import { useState } from 'react';
import { type FormProps, SourceForm } from './source-form';

export function BundledForm({ sources, pending, onCreate }: FormProps) {
  const [chosen, setChosen] = useState(sources.bundled[0]?.name ?? '');
  const [name, setName] = useState(chosen);
  return (
    <SourceForm
      name={name}
      onName={setName}
      ready={chosen !== ''}
      pending={pending}
      action="Add dataset"
      onSubmit={() => onCreate({ name: name.trim(), source: { type: 'bundled', name: chosen } })}
    >
      <fieldset className="choices">
        <legend>Graphs that come with the installation</legend>
        {sources.bundled.map((graph) => (
          <label key={graph.name} className="choice" data-chosen={graph.name === chosen || undefined}>
            <input
              type="radio"
              name="bundled"
              checked={graph.name === chosen}
              onChange={() => {
                if (name === chosen || name === '') setName(graph.name);
                setChosen(graph.name);
              }}
            />
            <span>
              <b>{graph.title}</b>
              <span className="caption">{graph.description}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </SourceForm>
  );
}
