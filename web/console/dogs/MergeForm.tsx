import { useLayoutEffect } from 'preact/hooks';
import { Button } from '../../shared/ui/Button.tsx';
import { Choices } from '../../shared/ui/Choices.tsx';
import { useFormErrors } from '../use-form-errors.ts';
import { textOf } from './settings.ts';
import type { EditedSettings } from './use-settings.ts';

/** The side that the user has chosen for each field in conflict. */
export type Sides = Readonly<Record<string, 'mine' | 'theirs'>>;

interface MergeFormProps {
  readonly edited: EditedSettings;
  readonly sides: Sides;
  readonly isBusy: boolean;
  readonly onChange: (sides: Sides) => void;
  readonly send: () => void;
}

export function MergeForm({ edited, sides, isBusy, onChange, send }: MergeFormProps) {
  const { conflicts, merged, taken, theirs } = edited;
  const missing = conflicts.filter((name) => !sides[name]);
  const errors = useFormErrors(
    Object.keys(merged),
    Object.fromEntries(missing.map((name) => [name, 'Choose one of the two values.'])),
  );
  // The focused button, which opened this form, has disappeared.
  useLayoutEffect(() => errors.form.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (errors.check()) send();
  };
  return (
    <form class="merge" ref={errors.form} noValidate aria-label="Merge" onSubmit={submit}>
      {taken.length > 0 && (
        <p>
          Changed by the other client:{' '}
          {taken.map((name) => (
            <span class="taken" key={name}>
              {name} <code>{textOf(theirs, name)}</code>{' '}
            </span>
          ))}
        </p>
      )}
      {conflicts.length === 0 && <p>You and the other client changed different fields.</p>}
      {conflicts.map((name) => (
        <Choices
          key={name}
          legend={name}
          type="radio"
          choices={[
            { value: 'mine', label: <code>{textOf(merged, name)}</code>, hint: 'your value' },
            { value: 'theirs', label: <code>{textOf(theirs, name)}</code>, hint: 'the other client’s value' },
          ]}
          chosen={[sides[name]].filter((side) => side !== undefined)}
          error={errors.errors[name]}
          onChange={([side]) => {
            if (side) onChange({ ...sides, [name]: side });
            errors.changed(name);
          }}
        />
      ))}
      <div class="row">
        <Button kind="main" type="submit" isBusy={isBusy}>
          Send the merged settings
        </Button>
      </div>
    </form>
  );
}
