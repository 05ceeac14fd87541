import type { PartialInputHTMLAttributes } from 'preact';
import { Field, type FieldTexts } from './Field.tsx';

interface TextFieldProps
  extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'onInput' | 'role' | 'type'>,
    FieldTexts {
  readonly type?: 'datetime-local' | 'number' | 'password' | 'search' | 'text';
  readonly value: string;
  readonly onText: (text: string) => void;
}

export function TextField({ label, hint, error, type = 'text', onText, ...attributes }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(own) => (
        <input
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
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
