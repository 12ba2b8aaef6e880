import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ModelItem, renameModel } from './api';

/** The model's name; a click turns it into a field. */
export function ModelName({ model }: { model: ModelItem }) {
  const queries = useQueryClient();
  const [text, setText] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (name: string) => renameModel(model.id, name),
    onSuccess: (changed) => {
      queries.setQueryData(['models', model.id], changed);
      void queries.invalidateQueries({ queryKey: ['models', 'list'] });
    },
  });
  const done = () => {
    const name = text?.trim();
    if (name && name !== model.name) rename.mutate(name);
    setText(null);
  };
  if (text === null) {
    return (
      <button
        type="button"
        className="model-name ellipsis"
        title="Rename"
        onClick={() => setText(model.name)}
      >
        {rename.isPending ? rename.variables : model.name}
      </button>
    );
  }
  return (
    <input
      className="field-look model-name-field"
      value={text}
      maxLength={120}
      aria-label="Name of the model"
      // biome-ignore lint/a11y/noAutofocus: the field takes the place of the button that was pressed
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === 'Enter') done();
        if (event.key === 'Escape') setText(null);
      }}
    />
  );
}
