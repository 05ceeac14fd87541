import type { Dog, DogRequest } from '../../../client/index.ts';
import {
  formTexts,
  type Setting,
  type SettingName,
  settingNames,
  settingOf,
} from '../../../lambdas/contract/dog-settings.ts';
import { decoded } from '../../shared/decoded.ts';

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

const isText = (name: SettingName) => settingOf(name).kind === 'text';

/** In the order of the form: text fields come last. */
export const fieldNames: readonly SettingName[] = [
  ...settingNames.filter((name) => !isText(name)),
  ...settingNames.filter(isText),
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
  const isEmpty = (name: SettingName) => changes[name] !== undefined && String(changes[name]) === '';
  const absent: readonly string[] = settingNames.filter(
    (name) => isOptional(settingOf(name)) && isEmpty(name),
  );
  return Object.fromEntries(
    Object.entries({ ...settings, ...changes }).filter(([name]) => !absent.includes(name)),
  );
}

/** Returns true if a PUT can leave the setting absent. */
export function isOptional(setting: Setting): boolean {
  return !setting.isAlwaysSet && setting.default === undefined;
}

export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
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
