import { isEmpty, type Settings } from './settings.ts';

/** The fields that the user has changed: the value that the user entered, and the stored one that the user saw. */
export type Changes = Readonly<Record<string, { readonly value: unknown; readonly from: unknown }>>;

export function change(changes: Changes, stored: Settings, name: string, value: unknown): Changes {
  const { from } = changes[name] ?? { from: stored[name] };
  return { ...changes, [name]: { value, from } };
}

export function valuesOf(changes: Changes): Settings {
  return Object.fromEntries(Object.entries(changes).map(([name, { value }]) => [name, value]));
}

export function without(changes: Changes, isLeftOut: (name: string) => boolean): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !isLeftOut(name)));
}

/** Returns the fields that both the user and another client have changed, to different values. */
export function conflictsOf(changes: Changes, stored: Settings): string[] {
  return Object.entries(changes)
    .filter(([name, { value, from }]) => !isSame(stored[name], from) && !isSame(stored[name], value))
    .map(([name]) => name);
}

/** An absent setting is the same as an empty one. */
function isSame(one: unknown, other: unknown): boolean {
  return (isEmpty(one) && isEmpty(other)) || JSON.stringify(one) === JSON.stringify(other);
}
