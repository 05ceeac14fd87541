import { Button } from '../shared/ui/Button.tsx';
import { Field } from '../shared/ui/Field.tsx';
import { show, view } from './mails.ts';
import type { View } from './view.ts';

interface FilterFieldProps {
  readonly name: 'address' | 'text';
  readonly label: string;
  readonly placeholder: string;
}

export function Filter() {
  const { address, text } = view.value;
  return (
    <search class="filter">
      <FilterField name="address" label="Address" placeholder="rex@example.com" />
      <FilterField name="text" label="Text" placeholder="in the subject or the body" />
      {(address || text) && (
        <Button onClick={() => show({ address: '', text: '' }, 'push')}>Show all emails</Button>
      )}
    </search>
  );
}

function FilterField({ name, label, placeholder }: FilterFieldProps) {
  const { address, text } = view.value;
  const filter: View = { address, text };
  return (
    <Field label={label}>
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={filter[name]}
          onInput={({ currentTarget }) => show({ ...filter, [name]: currentTarget.value }, 'replace')}
        />
      )}
    </Field>
  );
}
