import { type ComponentChildren, Fragment } from 'preact';
import { formTexts, type SettingName, settingOf } from '../../../lambdas/contract/dog-settings.ts';
import { Choices } from '../../shared/ui/Choices.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { type FormErrors, sentence } from '../form-errors.ts';
import { fieldNames, isOptional, type Settings } from './settings.ts';

interface SettingsFieldsProps {
  readonly settings: Settings;
  readonly errors: FormErrors<SettingName>;
  readonly onChange: (name: SettingName, value: unknown) => void;
  /** Returns a message to show below a field. */
  readonly note?: (name: SettingName) => ComponentChildren;
}

export function SettingsFields({ settings, errors, onChange, note }: SettingsFieldsProps) {
  return fieldNames.map((name) => (
    <Fragment key={name}>
      <SettingField
        name={name}
        value={settings[name]}
        error={errors.fields[name]}
        onChange={(value) => onChange(name, value)}
      />
      {note?.(name)}
    </Fragment>
  ));
}

interface SettingFieldProps {
  readonly name: SettingName;
  /** Undefined if the setting is absent. */
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

interface Texts {
  readonly label: string;
  readonly hint?: string;
  readonly choiceHints?: Readonly<Record<string, string>>;
  readonly example: unknown;
}

function SettingField({ name, value, error, onChange }: SettingFieldProps) {
  const setting = settingOf(name);
  const { label, hint, choiceHints = {}, example }: Texts = formTexts[name];
  const choicesOf = (choices: readonly string[]) =>
    choices.map((choice) => {
      const words = choiceHints[choice];
      return words
        ? { value: choice, label: sentence(words).slice(0, -1), hint: choice }
        : { value: choice, label: choice || 'No value' };
    });
  const group = { legend: label, error };
  if (setting.kind === 'choices') {
    const entries = (value ?? []) as readonly string[];
    const unknown = entries.filter((one) => !setting.choices.includes(one));
    return (
      <Choices
        {...group}
        type="checkbox"
        choices={choicesOf(setting.choices)}
        chosen={entries}
        onChange={(chosen) => onChange([...chosen, ...unknown])}
      />
    );
  }
  if (setting.kind === 'choice')
    return (
      <Choices
        {...group}
        type="radio"
        choices={choicesOf(isOptional(setting) ? ['', ...setting.choices] : setting.choices)}
        chosen={[String(value ?? '')]}
        onChange={([choice]) => onChange(choice)}
      />
    );
  if (setting.kind === 'boolean')
    return (
      <Choices
        {...group}
        type="checkbox"
        choices={[{ value: 'true', label: 'Yes', hint }]}
        chosen={value ? ['true'] : []}
        onChange={({ length }) => onChange(length > 0)}
      />
    );
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      {...(setting.format
        ? { inputMode: setting.format === 'email' ? 'email' : 'url' }
        : { placeholder: String(example) })}
      value={String(value ?? '')}
      onText={onChange}
    />
  );
}
