import { useUniqueId } from './unique-id.ts';

interface SegmentsProps<Value extends string> {
  /** What the user chooses, for screen readers. */
  readonly legend: string;
  readonly values: readonly Value[];
  readonly labels: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  readonly onChange: (chosen: Value) => void;
}

export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { legend, values, labels, chosen, onChange } = props;
  const name = useUniqueId();
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{legend}</legend>
      {values.map((value) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChange(value)} />
          {labels[value]}
        </label>
      ))}
    </fieldset>
  );
}
