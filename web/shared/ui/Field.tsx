import type { ComponentChildren, JSX } from 'preact';
import { useUniqueId } from './unique-id.ts';

interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export interface FieldTexts {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: ComponentChildren;
}

interface FieldProps extends FieldTexts {
  readonly children: (attributes: ControlAttributes) => JSX.Element;
}

type NotesProps = Pick<FieldTexts, 'hint' | 'error'> & { readonly id: string };

/** The hint and the error of a field, or of a group of fields. */
function Notes({ id, hint, error }: NotesProps) {
  return (
    <>
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
    </>
  );
}

/** The IDs of the notes that exist, for `aria-describedby`. */
function idsOfNotes({ id, hint, error }: NotesProps): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const notes = { id: useUniqueId(), hint, error };
  const { id } = notes;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': idsOfNotes(notes),
        'aria-invalid': error ? true : undefined,
      })}
      <Notes {...notes} />
    </div>
  );
}

export { idsOfNotes, Notes }; // @extension console
