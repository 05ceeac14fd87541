import type { ComponentChildren } from 'preact';
import { Choices } from '../../shared/ui/Choices.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import type { FormState } from '../use-form-errors.ts';
import type { SettingName, Settings } from './settings.ts';

interface SettingsFieldsProps {
  readonly settings: Settings;
  readonly errors: Pick<FormState<SettingName>, 'changed' | 'errors' | 'left'>;
  readonly onChange: (change: Partial<Settings>) => void;
  /** Messages after fields. */
  readonly notes?: Readonly<Partial<Record<SettingName, ComponentChildren>>>;
}

const effectChoices = [
  { value: 'emailDog', label: 'emailDog', hint: 'sends mail to the dog' },
  { value: 'emailOwner', label: 'emailOwner', hint: 'sends mail to the owner' },
  { value: 'count', label: 'count', hint: 'increases barkCount' },
  { value: 'record', label: 'record', hint: 'records the bark and counts it' },
] as const;

const handlingChoices = [
  { value: 'sync', label: 'sync', hint: 'responds after the bark' },
  { value: 'async', label: 'async', hint: 'responds at once with 202' },
] as const;

/** The fields for the settings of a dog. */
export function SettingsFields({ settings, errors, onChange, notes = {} }: SettingsFieldsProps) {
  const set = (name: SettingName, change: Partial<Settings>) => {
    onChange(change);
    errors.changed(name);
  };
  const text = (name: 'email' | 'owner', label: string, hint: string, inputMode: 'email' | 'url') => (
    <>
      <Field label={label} hint={hint} error={errors.errors[name]}>
        {(attributes) => (
          <input
            {...attributes}
            value={settings[name]}
            inputMode={inputMode}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={({ currentTarget }) => set(name, { [name]: currentTarget.value })}
            onBlur={(event) => errors.left(name, event)}
          />
        )}
      </Field>
      {notes[name]}
    </>
  );
  return (
    <>
      <Choices
        legend="What a bark does"
        type="checkbox"
        choices={effectChoices}
        chosen={settings.barkEffects}
        error={errors.errors.barkEffects}
        onChange={(barkEffects) => set('barkEffects', { barkEffects })}
      />
      {notes.barkEffects}
      <Choices
        legend="Handling"
        type="radio"
        choices={handlingChoices}
        chosen={[settings.barkHandling]}
        error={errors.errors.barkHandling}
        onChange={([barkHandling = 'sync']) => set('barkHandling', { barkHandling })}
      />
      {notes.barkHandling}
      {text('email', 'email', 'The effect emailDog requires it.', 'email')}
      {text(
        'owner',
        'owner',
        'A URI reference. The effect emailOwner requires a mailto: URI with one address.',
        'url',
      )}
    </>
  );
}
