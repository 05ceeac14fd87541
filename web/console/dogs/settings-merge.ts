import { fieldNames, type Settings } from './settings.ts';

export interface Merge {
  /** The settings with both sides' changes. Conflicting fields keep my values. */
  readonly merged: Settings;
  /** The fields that both sides changed to different values. */
  readonly conflicts: readonly string[];
  /** The fields that only the other side changed. */
  readonly taken: readonly string[];
}

/**
 * A three-way merge. Without conflicts, swapping `mine` and `theirs` does not change `merged`.
 *
 * @param base the settings from which both sides started
 */
export function mergeSettings(base: Settings, mine: Settings, theirs: Settings): Merge {
  const theirChanges = namesOf(base, theirs).filter((name) => !isSame(base, theirs, name));
  const taken = theirChanges.filter((name) => isSame(base, mine, name));
  return {
    merged: withFields(mine, theirs, taken),
    conflicts: theirChanges.filter((name) => !taken.includes(name) && !isSame(mine, theirs, name)),
    taken,
  };
}

/** Returns `settings` with the named fields taken from `source`. */
export function withFields(settings: Settings, source: Settings, names: readonly string[]): Settings {
  return { ...settings, ...Object.fromEntries(names.map((name) => [name, source[name]])) };
}

export function isSameSettings(one: Settings, other: Settings): boolean {
  return namesOf(one, other).every((name) => isSame(one, other, name));
}

/** In the order of the form, with fields unknown to this page last. */
function namesOf(one: Settings, other: Settings): readonly string[] {
  return [...new Set([...fieldNames, ...Object.keys(one), ...Object.keys(other)])];
}

/** Equal lists are in the same order, because `settingsOf` and the form sort them. */
function isSame(one: Settings, other: Settings, name: string): boolean {
  return JSON.stringify(one[name]) === JSON.stringify(other[name]);
}
