import './search-box.css';
import IconSearch from '@tabler/icons-react/icons/IconSearch';

/** Narrows a list by a part of the name. */
export function SearchBox(props: {
  value: string | undefined;
  label: string;
  onChange: (text: string | undefined) => void;
}) {
  return (
    <label className="search-box">
      <IconSearch size={14} stroke={1.75} />
      <input
        type="search"
        defaultValue={props.value ?? ''}
        placeholder="Search by name"
        aria-label={props.label}
        onChange={(event) => props.onChange(event.target.value || undefined)}
      />
    </label>
  );
}
