import { type ComponentChildren, Fragment, type FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import {
  type FormTexts,
  formTexts,
  type Kind,
  type Setting,
  type SettingName,
  settingOf,
} from '../../../lambdas/contract/dog-settings.ts';
import { TextField } from '../../shared/ui/TextField.tsx';
import { type FormErrors, sentence } from '../form-errors.ts';
import { type Choice, Choices } from '../ui/Choices.tsx';
import { entriesIn, fieldNames, integerIn, isOptional, type Settings } from './settings.ts';
import { TextArea } from './TextArea.tsx';

interface SettingsFieldsProps {
  readonly settings: Settings;
  readonly errors: FormErrors<SettingName>;
  readonly onChange: (name: SettingName, value: unknown) => void;
  /** Returns a message to show below a field. */
  readonly note?: (name: SettingName) => ComponentChildren;
}

export function SettingsFields({ settings, errors, onChange, note }: SettingsFieldsProps) {
  return fieldNames.map((name) => {
    const setting = settingOf(name);
    const Control = controls[setting.kind] as FunctionComponent<ControlProps<Kind>>;
    return (
      <Fragment key={name}>
        <Control
          setting={setting}
          texts={formTexts[name]}
          value={settings[name]}
          error={errors.fields[name]}
          onChange={(value) => onChange(name, value)}
        />
        {note?.(name)}
      </Fragment>
    );
  });
}

interface ControlProps<K extends Kind> {
  readonly setting: Setting<K>;
  readonly texts: FormTexts<unknown>;
  /** Undefined or empty if the setting is absent. */
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

const controls: { readonly [K in Kind]: FunctionComponent<ControlProps<K>> } = {
  text: TextControl,
  integer: IntegerControl,
  boolean: BooleanControl,
  choice: ChoiceControl,
  choices: ChoicesControl,
  texts: TextsControl,
};

function TextControl({ setting, texts, value, error, onChange }: ControlProps<'text'>) {
  return (
    <TextField
      label={texts.label}
      hint={texts.hint}
      error={error}
      {...(setting.format
        ? { inputMode: setting.format === 'email' ? 'email' : 'url' }
        : { placeholder: String(texts.example) })}
      value={String(value ?? '')}
      onText={onChange}
    />
  );
}

/** A number input of the browser would be empty, as if the setting were absent, while its text is not a number. */
function IntegerControl({ setting, texts, value, error, onChange }: ControlProps<'integer'>) {
  return (
    <TextField
      label={texts.label}
      hint={texts.hint}
      error={error}
      // On phones, the keyboard for digits lacks a minus sign.
      inputMode={setting.minimum < 0 ? 'text' : 'numeric'}
      placeholder={String(texts.example)}
      value={String(value ?? '')}
      onText={(text) => onChange(integerIn(text))}
    />
  );
}

function BooleanControl(props: ControlProps<'boolean'>) {
  const choices = [
    { value: 'true', label: 'Yes' },
    { value: 'false', label: 'No' },
  ];
  const onChange = (choice: unknown) => props.onChange(choice === '' ? choice : choice === 'true');
  return <Radios {...props} choices={choices} onChange={onChange} />;
}

function ChoiceControl(props: ControlProps<'choice'>) {
  return <Radios {...props} choices={choicesOf(props)} />;
}

interface RadiosProps extends ControlProps<'boolean' | 'choice'> {
  readonly choices: readonly Choice<string>[];
}

function Radios({ setting, texts, value, error, onChange, choices }: RadiosProps) {
  return (
    <Choices
      legend={texts.label}
      hint={texts.hint}
      error={error}
      type="radio"
      choices={isOptional(setting) ? [{ value: '', label: 'No value' }, ...choices] : choices}
      chosen={[String(value ?? '')]}
      onChange={([choice]) => onChange(choice)}
    />
  );
}

function ChoicesControl(props: ControlProps<'choices'>) {
  const { setting, texts, value, error, onChange } = props;
  const entries = (value ?? []) as readonly string[];
  const unknown = entries.filter((one) => !setting.choices.includes(one));
  return (
    <Choices
      legend={texts.label}
      hint={texts.hint}
      error={error}
      type="checkbox"
      choices={choicesOf(props)}
      chosen={entries}
      onChange={(chosen) => onChange([...chosen, ...unknown])}
    />
  );
}

function TextsControl({ texts, value, error, onChange }: ControlProps<'texts'>) {
  const entries = (value ?? []) as readonly string[];
  const [typed, setTyped] = useState('');
  // Keeps the empty line that the user has begun, unless the value has changed since.
  const text = entriesIn(typed).join('\n') === entries.join('\n') ? typed : entries.join('\n');
  return (
    <TextArea
      label={texts.label}
      hint={[texts.hint, 'One per line.'].filter(Boolean).join(' ')}
      error={error}
      placeholder={(texts.example as readonly string[]).join('\n')}
      value={text}
      onText={(changed) => {
        setTyped(changed);
        onChange(entriesIn(changed));
      }}
    />
  );
}

function choicesOf({ setting, texts }: ControlProps<'choice' | 'choices'>): readonly Choice<string>[] {
  return setting.choices.map((value) => {
    const words = texts.choiceHints?.[value];
    return words ? { value, label: sentence(words).slice(0, -1), hint: value } : { value, label: value };
  });
}
