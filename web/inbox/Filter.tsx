import { useId } from 'preact/hooks';
import { show, view } from './mails.ts';
import type { View } from './view.ts';

interface FilterFieldProps {
  readonly name: 'address' | 'text';
  readonly label: string;
  readonly placeholder: string;
}

/** The fields that select mails. */
export function Filter() {
  const { address, text } = view.value;
  return (
    <search class="filter">
      <FilterField name="address" label="Address" placeholder="rex@example.com" />
      <FilterField name="text" label="Text" placeholder="in the subject or the body" />
      {(address || text) && (
        <button type="button" onClick={() => show({ address: '', text: '' }, 'push')}>
          Show all mails
        </button>
      )}
    </search>
  );
}

function FilterField({ name, label, placeholder }: FilterFieldProps) {
  const id = useId();
  const { address, text } = view.value;
  const filter: View = { address, text };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={filter[name]}
        onInput={({ currentTarget }) => show({ ...filter, [name]: currentTarget.value }, 'replace')}
      />
    </div>
  );
}
