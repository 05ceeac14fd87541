import * as v from 'valibot';
import {
  type ByKind,
  type SettingName,
  type SettingValue,
  type SettingWith,
  settingOf,
} from '../lambdas/contract/dog-settings.ts';

/** The members for settings in a document that the service sends. */
type ShownEntries<Name extends SettingName> = {
  [N in Name]: N extends SettingWith<'isAlwaysSet'>
    ? v.GenericSchema<SettingValue<N>>
    : v.ExactOptionalSchema<v.GenericSchema<SettingValue<N>>, undefined>;
};

export function shownEntries<Name extends SettingName>(
  descriptions: Readonly<Record<Name, string>>,
): ShownEntries<Name> {
  const entries = Object.entries<string>(descriptions).map(([name, description]) => {
    const setting = settingOf(name as Name);
    const schema = v.pipe(schemas[setting.kind](setting as never), v.description(description));
    return [name, setting.isAlwaysSet ? schema : v.exactOptional(schema)];
  });
  return Object.fromEntries(entries) as ShownEntries<Name>;
}

/** Without the rules that apply only to requests. */
const schemas: ByKind<v.GenericSchema> = {
  text: () => v.string(),
  integer: () => v.pipe(v.number(), v.integer()),
  boolean: () => v.boolean(),
  choice: ({ choices }) => v.picklist(choices),
  choices: ({ choices }) => v.array(v.picklist(choices)),
  texts: () => v.array(v.string()),
};
