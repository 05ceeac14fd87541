import { Field } from '../../shared/ui/Field.tsx';
import type { HistoryFilter } from './history.ts';

interface HistoryFiltersProps {
  readonly filter: HistoryFilter;
  readonly onChange: (filter: HistoryFilter) => void;
}

export function HistoryFilters({ filter, onChange }: HistoryFiltersProps) {
  return (
    <search class="request-filters">
      <Field label="Search">
        {(attributes) => (
          <input
            {...attributes}
            type="search"
            placeholder="Method, path or status"
            autocomplete="off"
            value={filter.text}
            onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })}
          />
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.hidesBackground}
          onChange={(event) => onChange({ ...filter, hidesBackground: event.currentTarget.checked })}
        />
        Hide background reads
      </label>
    </search>
  );
}
