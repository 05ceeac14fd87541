import * as v from 'valibot';
import {
  type Setting,
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
    const schema = v.pipe(valueSchema(setting), v.description(description));
    return [name, setting.isAlwaysSet ? schema : v.exactOptional(schema)];
  });
  return Object.fromEntries(entries) as ShownEntries<Name>;
}

/** The schema for a setting's values, without the checks that apply only to requests. */
function valueSchema(setting: Setting): v.GenericSchema {
  if (setting.kind === 'text') return v.string();
  if (setting.kind === 'boolean') return v.boolean();
  return setting.kind === 'choices' ? v.array(v.picklist(setting.choices)) : v.picklist(setting.choices);
}
