import type { ComponentChildren } from 'preact';
import { idsOfNotes, Notes } from '../../shared/ui/Field.tsx';
import { useUniqueId } from '../../shared/ui/unique-id.ts';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
}

interface ChoicesProps<Value extends string> {
  readonly legend: string;
  readonly hint?: ComponentChildren;
  readonly type: 'checkbox' | 'radio';
  readonly choices: readonly Choice<Value>[];
  readonly chosen: readonly Value[];
  /** The group calls this with all chosen values, in the order of `choices`. */
  readonly onChange: (chosen: Value[]) => void;
  readonly error?: ComponentChildren;
}

export function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { legend, hint, type, choices, chosen, onChange, error } = props;
  const notes = { id: useUniqueId(), hint, error };
  const { id } = notes;
  const toggle = (value: Value) => {
    if (type === 'radio') return onChange([value]);
    const others = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    onChange(choices.map((choice) => choice.value).filter((one) => others.includes(one)));
  };
  return (
    <fieldset class="field" aria-describedby={idsOfNotes(notes)}>
      <legend>{legend}</legend>
      {choices.map(({ value, label, hint }) => (
        <label class="check" key={value}>
          <input
            type={type}
            name={id}
            value={value}
            checked={chosen.includes(value)}
            aria-invalid={error ? true : undefined}
            onChange={() => toggle(value)}
          />
          <span>
            {label}
            {hint && <small>{hint}</small>}
          </span>
        </label>
      ))}
      <Notes {...notes} />
    </fieldset>
  );
}
