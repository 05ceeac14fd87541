import type { PartialInputHTMLAttributes } from 'preact';
import { Field } from '../shared/ui/Field.tsx';

interface TextFieldProps
  extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'onInput' | 'role' | 'type'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: 'datetime-local' | 'number' | 'text';
  readonly value: string;
  readonly onText: (text: string) => void;
}

export function TextField({ label, hint, error, type = 'text', onText, ...attributes }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(own) => (
        <input
          autocomplete="off"
          // Preact's types do not accept a union.
          type={type as 'text'}
          {...attributes}
          {...own}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  );
}
