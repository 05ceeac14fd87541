import { Field, type FieldTexts } from '../../shared/ui/Field.tsx';

interface TextAreaProps extends FieldTexts {
  readonly placeholder: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A field for several lines of text. */
export function TextArea({ label, hint, error, onText, ...attributes }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(own) => (
        <textarea
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          rows={3}
          {...attributes}
          {...own}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  );
}
