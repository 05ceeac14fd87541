import type { ComponentChildren } from 'preact';
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
  const id = useUniqueId();
  const toggle = (value: Value) => {
    if (type === 'radio') return onChange([value]);
    const others = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    onChange(choices.map((choice) => choice.value).filter((one) => others.includes(one)));
  };
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset class="field" aria-describedby={describedBy || undefined}>
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
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
