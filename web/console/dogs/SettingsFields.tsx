import { type ComponentChildren, Fragment } from 'preact';
import { formTexts, type SettingName, settingOf } from '../../../lambdas/contract/dog-settings.ts';
import { Choices } from '../../shared/ui/Choices.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import type { FormState } from '../use-form-errors.ts';
import { fieldNames, isOptional, type Settings, unknownIn } from './settings.ts';

interface SettingsFieldsProps {
  readonly settings: Settings;
  readonly errors: Pick<FormState<SettingName>, 'changed' | 'errors' | 'left'>;
  readonly onChange: (change: Partial<Settings>) => void;
  /** Messages to show below the fields, by field name. */
  readonly notes?: Readonly<Record<string, ComponentChildren>>;
}

export function SettingsFields({ settings, errors, onChange, notes = {} }: SettingsFieldsProps) {
  return fieldNames.map((name) => (
    <Fragment key={name}>
      <SettingField
        name={name}
        value={settings[name]}
        error={errors.errors[name]}
        onChange={(value) => {
          onChange({ [name]: value });
          errors.changed(name);
        }}
        onBlur={(event) => errors.left(name, event)}
      />
      {notes[name]}
    </Fragment>
  ));
}

interface SettingFieldProps {
  readonly name: SettingName;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

interface Texts {
  readonly label: string;
  readonly hint?: string;
  readonly choiceHints?: Readonly<Record<string, string>>;
  readonly example: unknown;
}

function SettingField({ name, value, error, onChange, onBlur }: SettingFieldProps) {
  const setting = settingOf(name);
  const { label, hint, choiceHints = {}, example }: Texts = formTexts[name];
  const choicesOf = (choices: readonly string[]) =>
    choices.map((choice) => ({ value: choice, label: choice || 'no value', hint: choiceHints[choice] }));
  const group = { legend: label, error };
  if (setting.kind === 'list') {
    const entries = value as readonly string[];
    return (
      <Choices
        {...group}
        type="checkbox"
        choices={choicesOf(setting.choices)}
        chosen={entries}
        onChange={(chosen) => onChange([...chosen, ...unknownIn(setting, entries)])}
      />
    );
  }
  if (setting.kind === 'choice')
    return (
      <Choices
        {...group}
        type="radio"
        choices={choicesOf(isOptional(setting) ? ['', ...setting.choices] : setting.choices)}
        chosen={[value as string]}
        onChange={([choice]) => onChange(choice)}
      />
    );
  if (setting.kind === 'switch')
    return (
      <Choices
        {...group}
        type="checkbox"
        choices={[{ value: 'true', label: 'true', hint }]}
        chosen={value ? ['true'] : []}
        onChange={({ length }) => onChange(length > 0)}
      />
    );
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          value={value as string}
          autocomplete="off"
          {...(setting.format
            ? {
                inputMode: setting.format === 'email' ? 'email' : 'url',
                autocapitalize: 'none',
                spellcheck: false,
              }
            : { placeholder: String(example) })}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}
