import type { Dog, NewDog } from '../../../client/index.ts';
import type { ErrorsByField } from '../form-errors.ts';
import { dogId } from './dog-id.ts';

export const effects = ['emailDog', 'emailOwner', 'count', 'record'] as const;
type Effect = (typeof effects)[number];

/** The settings of a dog as the fields of a form. An empty text is an absent member. */
export interface Settings {
  readonly email: string;
  readonly owner: string;
  readonly barkEffects: readonly Effect[];
  readonly barkHandling: 'async' | 'sync';
}

export type SettingName = keyof Settings;

export const settingNames = ['barkEffects', 'barkHandling', 'email', 'owner'] as const;

/** The settings that the form for a new dog has at first. */
export const firstSettings: Settings = {
  email: '',
  owner: '',
  barkEffects: ['record'],
  barkHandling: 'sync',
};

export function settingsOf({ email = '', owner = '', barkEffects, barkHandling }: Dog): Settings {
  return {
    email,
    owner,
    barkEffects: effects.filter((effect) => barkEffects.includes(effect)),
    barkHandling,
  };
}

/** Returns the body of the PUT for these settings. */
export function newDogOf({ email, owner, barkEffects, barkHandling }: Settings): NewDog {
  return {
    ...(email && { email }),
    ...(owner && { owner }),
    barkEffects: [...barkEffects],
    barkHandling,
  };
}

/** Returns the value of a setting as text. */
export function textOf(settings: Settings, name: SettingName): string {
  const value = settings[name];
  return typeof value === 'string' ? value || 'no value' : value.join(', ') || 'no effects';
}

/** The pattern of an email address, which is that of the HTML standard. */
const address =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const uriReference = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/**
 * Returns the errors that the page can find before it sends the settings. The service makes further checks, and accepts no
 * settings that this function refuses.
 */
export function settingsErrors({ email, owner, barkEffects }: Settings): ErrorsByField<SettingName> {
  const errors: ErrorsByField<SettingName> = {};
  if (barkEffects.length === 0) errors.barkEffects = 'Choose at least one effect.';
  if (email && !address.test(email)) errors.email = 'Enter an email address, such as rex@example.com.';
  if (!email && barkEffects.includes('emailDog'))
    errors.email = 'Enter an email address, or clear the effect emailDog.';
  if (owner && !uriReference.test(owner))
    errors.owner = 'Enter a URI reference without spaces, such as mailto:jane@example.com.';
  if (barkEffects.includes('emailOwner') && !isMailto(owner))
    errors.owner =
      'Enter a mailto: URI with one address, such as mailto:jane@example.com, or clear the effect emailOwner.';
  return errors;
}

function isMailto(owner: string): boolean {
  const [, encoded] = /^mailto:([^?,#]+)$/i.exec(owner) ?? [];
  if (encoded === undefined) return false;
  try {
    return address.test(decodeURIComponent(encoded));
  } catch {
    return false; // the percent-encoding is invalid
  }
}

/** Returns the error of the ID of a new dog. */
export function idError(id: string): string | undefined {
  if (dogId.test(id)) return undefined;
  return 'Enter an ID of 1 to 40 letters, digits, hyphens or underscores.';
}
