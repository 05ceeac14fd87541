import type { Dog, DogRequest } from '../../../client/index.ts';
import {
  formTexts,
  type Kind,
  type Setting,
  type SettingName,
  settingNames,
  settingOf,
} from '../../../lambdas/contract/dog-settings.ts';
import { decoded } from '../decoded.ts';

/** The members of a dog that a PUT sends. Those unknown to this page are included. */
export type Settings = Readonly<Record<string, unknown>>;

/** The members of a dog that PUT cannot change. */
const readOnly: Readonly<Record<Exclude<keyof Dog, SettingName>, true>> = {
  id: true,
  barkCount: true,
  barking: true,
  barks: true,
  suspended: true,
};

const isTyped: Readonly<Record<Kind, boolean>> = {
  text: true,
  integer: true,
  boolean: false,
  choice: false,
  choices: false,
  texts: true,
};

const isLast = (name: SettingName) => isTyped[settingOf(name).kind];

/** In the order of the form: fields in which the user types come last. */
export const fieldNames: readonly SettingName[] = [
  ...settingNames.filter((name) => !isLast(name)),
  ...settingNames.filter(isLast),
];

/** The settings of a new dog. */
export const firstSettings: Settings = Object.fromEntries(
  settingNames.flatMap((name) => {
    const setting = settingOf(name);
    const required = setting.kind === 'choice' && setting.isAlwaysSet ? setting.choices[0] : undefined;
    const first = setting.default ?? required;
    return first === undefined ? [] : [[name, first]];
  }),
);

export function settingsOf(dog: Dog): Settings {
  return Object.fromEntries(Object.entries(dog).filter(([name]) => !Object.hasOwn(readOnly, name)));
}

/** Returns the body of a PUT. An empty text or list stands for an absent optional setting. */
export function withChanges(settings: Settings, changes: Settings): DogRequest {
  const absent: readonly string[] = settingNames.filter(
    (name) => isOptional(settingOf(name)) && Object.hasOwn(changes, name) && isEmpty(changes[name]),
  );
  return Object.fromEntries(
    Object.entries({ ...settings, ...changes }).filter(([name]) => !absent.includes(name)),
  );
}

/** Returns true if a PUT can leave the setting absent. */
export function isOptional(setting: Setting): boolean {
  return !setting.isAlwaysSet && setting.default === undefined;
}

/** Returns true for undefined, an empty text and an empty list. */
export function isEmpty(value: unknown): boolean {
  return String(value ?? '') === '';
}

/** Returns the value of an integer field, or the text itself if the text is no integer: the service then says what is wrong. */
export function integerIn(text: string): unknown {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** Returns the entries of a field that has one in each line. */
export function entriesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/^ +| +$/g, ''))
    .filter((line) => line !== '');
}

export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** Returns the dog's settings, except absent ones and addresses. */
export function settingFactsOf(dog: Dog): readonly { readonly label: string; readonly value: string }[] {
  return fieldNames
    .filter((name) => !('format' in settingOf(name)) && Object.hasOwn(dog, name))
    .map((name) => ({
      label: name === 'barkEffects' ? 'Effects' : formTexts[name].label,
      value: textOf(dog[name]),
    }));
}

/** Returns the addresses to which the dog sends mail, without the suspended ones. */
export function recipientsOf({ email, owner = '', barkEffects, suspended = [] }: Dog): string[] {
  const addresses = [
    ...(barkEffects.includes('emailDog') && email ? [email] : []),
    ...(barkEffects.includes('emailOwner') ? [decoded(owner.replace(/^mailto:/i, ''))] : []),
  ];
  return addresses.filter(
    (address) => !suspended.some((one) => one.address.toLowerCase() === address.toLowerCase()),
  );
}
