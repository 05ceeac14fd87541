import type { Dog, DogRequest } from '../../../client/index.ts';
import {
  formTexts,
  mapSettings,
  type Setting,
  type SettingName,
  type SettingValues,
  settingNames,
  settingOf,
} from '../../../lambdas/contract/dog-settings.ts';
import { isEmailAddress } from '../../../lambdas/contract/email-address.ts';
import { decoded } from '../../shared/decoded.ts';
import type { ErrorsByField } from '../form-errors.ts';
import { dogId } from './dog-id.ts';

/**
 * A dog's settings as form fields. An empty text or list stands for an absent optional setting. Members unknown to this page
 * stay unchanged.
 */
export type Settings = SettingValues & Readonly<Record<string, unknown>>;

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

export const firstSettings = mapSettings((name) => firstValue(settingOf(name))) as Settings;

function firstValue(setting: Setting): unknown {
  if (setting.default !== undefined) return setting.default;
  if (setting.kind === 'list') return [];
  if (setting.kind === 'choice' && setting.isAlwaysSet) return setting.choices[0];
  return setting.kind === 'switch' ? undefined : '';
}

export function settingsOf(dog: Dog): Settings {
  const read: Readonly<Record<string, unknown>> = { ...dog };
  const known = mapSettings((name) => inOrder(settingOf(name), read[name] ?? firstSettings[name]));
  const named = { ...known, ...readOnly };
  const others = Object.entries(read).filter(([name]) => !Object.hasOwn(named, name));
  return { ...known, ...Object.fromEntries(others) } as Settings;
}

/** Sorts a list's entries as the form does, with those unknown to this page last. Returns other values unchanged. */
function inOrder(setting: Setting, value: unknown): unknown {
  if (setting.kind !== 'list') return value;
  const entries = value as readonly string[];
  return [...setting.choices.filter((one) => entries.includes(one)), ...unknownIn(setting, entries)];
}

export function unknownIn(
  { choices }: Setting & { kind: 'list' },
  entries: readonly string[],
): readonly string[] {
  return entries.filter((one) => !choices.includes(one));
}

export function newDogOf(settings: Settings): DogRequest {
  const absent: readonly string[] = settingNames.filter(
    (name) => isOptional(settingOf(name)) && isEmpty(settings[name]),
  );
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !absent.includes(name)));
}

/** Returns true if a PUT can leave the setting absent. */
export function isOptional(setting: Setting): boolean {
  return !setting.isAlwaysSet && setting.default === undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (value as string | unknown[]).length === 0;
}

/** @param name a setting, or a member unknown to this page */
export function textOf(settings: Settings, name: string): string {
  const value = settings[name];
  const setting = settingNames.includes(name as SettingName) ? settingOf(name as SettingName) : undefined;
  if (setting?.kind === 'list') return (value as string[]).join(', ') || `no ${setting.entry}s`;
  if (value === undefined || value === '') return 'no value';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isAddress(name: SettingName): boolean {
  const setting = settingOf(name);
  return setting.kind === 'text' && setting.format !== undefined;
}

/** Returns the dog's settings, except absent ones and addresses. */
export function settingFactsOf(dog: Dog): readonly { readonly label: string; readonly value: string }[] {
  const settings = settingsOf(dog);
  return fieldNames
    .filter((name) => !isAddress(name) && Object.hasOwn(dog, name))
    .map((name) => ({
      label: name === 'barkEffects' ? 'Effects' : formTexts[name].label,
      value: textOf(settings, name),
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

const uriReference = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/**
 * Returns the errors that the page can find before it sends the settings. The service checks for these and other errors.
 *
 * @param stored the dog's settings, whose addresses it may keep even if they are invalid
 */
export function settingsErrors(
  settings: Settings,
  stored: Settings = firstSettings,
): ErrorsByField<SettingName> {
  const errors: ErrorsByField<SettingName> = {};
  for (const name of settingNames) {
    const error = valueError(name, settings[name]);
    if (error !== undefined) errors[name] = error;
  }
  const { email, owner, barkEffects } = settings;
  if (email === stored.email) delete errors.email;
  if (!email && barkEffects.includes('emailDog'))
    errors.email = 'Enter an email address, or clear the effect emailDog.';
  const keepsOwner = owner === stored.owner && stored.barkEffects.includes('emailOwner');
  if (barkEffects.includes('emailOwner') && !isMailto(owner) && !keepsOwner)
    errors.owner =
      'Enter a mailto: URI with one address, such as mailto:jane@example.com, or clear the effect emailOwner.';
  return errors;
}

/** Returns a value's error, if it has one regardless of the other settings. */
function valueError(name: SettingName, value: unknown): string | undefined {
  const setting = settingOf(name);
  if (setting.kind === 'list')
    return isEmpty(value) && !isOptional(setting) ? `Choose at least one ${setting.entry}.` : undefined;
  if (setting.kind !== 'text') return undefined;
  const text = value as string;
  if (text === '') return isOptional(setting) ? undefined : 'Enter a value.';
  if ([...text].length > setting.maxLength) return `Enter at most ${setting.maxLength} characters.`;
  if (setting.format === 'email' && !isEmailAddress(text))
    return `Enter an email address, such as ${formTexts[name].example}.`;
  if (setting.format === 'uri-reference' && !uriReference.test(text))
    return `Enter a URI reference without spaces, such as ${formTexts[name].example}.`;
  return undefined;
}

function isMailto(owner: string): boolean {
  const [, encoded] = /^mailto:([^?,#]+)$/i.exec(owner) ?? [];
  if (encoded === undefined) return false;
  try {
    return isEmailAddress(decodeURIComponent(encoded));
  } catch {
    return false; // the percent-encoding is invalid
  }
}

export function idError(id: string): string | undefined {
  if (dogId.test(id)) return undefined;
  return 'Enter an ID of 1 to 40 letters, digits, hyphens or underscores.';
}
