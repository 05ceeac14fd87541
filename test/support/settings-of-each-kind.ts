import {
  dogSettings,
  formTexts,
  type Kind,
  type Setting,
  type SettingName,
  settingNames,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';

/*
 * Adds two settings of each kind to the table, one that may be absent and one with a default, because the service need not have a
 * setting of each kind. A test file imports this module before all others, which read the table when they are loaded.
 */

/** Includes each kind's values that JavaScript considers false. */
const samples: {
  readonly [K in Kind]: { readonly setting: Setting<K>; readonly example: unknown; readonly usual: unknown };
} = {
  text: { setting: { kind: 'text', maxLength: 20 }, example: 'Brown, with spots', usual: '0' },
  integer: { setting: { kind: 'integer', minimum: -20, maximum: 5_000_000_000 }, example: -3, usual: 0 },
  boolean: { setting: { kind: 'boolean' }, example: true, usual: false },
  choice: { setting: { kind: 'choice', choices: ['short', 'long'] }, example: 'long', usual: 'short' },
  choices: {
    setting: { kind: 'choices', entry: 'trick', choices: ['sit', 'roll over', 'play dead'] },
    example: ['sit', 'play dead'],
    usual: ['roll over'],
  },
  texts: {
    setting: { kind: 'texts', entry: 'name', maxLength: 10, maxItems: 3 },
    example: ['Max', 'Bella 🐶'],
    usual: ['Rex'],
  },
};

/** The settings of the service. */
export const shippedNames: readonly SettingName[] = [...settingNames];

for (const [kind, { setting, example, usual }] of Object.entries(samples)) {
  add(`optional-${kind}`, setting, example);
  add(`default-${kind}`, { ...setting, default: usual } as Setting, example);
}

/** @param words separated by a hyphen */
function add(words: string, setting: Setting, example: unknown): void {
  const name = words.replace(/-./, (letter) => letter.charAt(1).toUpperCase());
  const label = `The ${words} setting`;
  const texts = { label, example, hint: `The hint of ${label}.` };
  Object.assign(dogSettings, { [name]: setting });
  Object.assign(formTexts, { [name]: texts });
  Object.assign(settingTexts, {
    [name]: { ...texts, description: `${label}.`, option: { value: 'value', help: label } },
  });
  (settingNames as SettingName[]).push(name as SettingName);
}
