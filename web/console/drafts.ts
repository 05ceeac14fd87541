import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { credentials } from '../shared/session.ts';
import type { DogSection } from './routes.ts';

export interface Draft<Fields extends object> {
  /** The initial fields with the changes applied. */
  readonly fields: Fields;
  readonly changes: Partial<Fields>;
  set(change: Partial<Fields>): void;
  clear(): void;
}

/** Returns the form's name, such as `schedule of rex`. */
export function formOf(dog: string, section: DogSection): string {
  return `${section} of ${dog}`;
}

/** Changes the draft of a form that is not on the page at the moment. */
export function changeDraft<Fields extends object>(form: string, changes: Partial<Fields>): void {
  const key = keyOf(form);
  sessionStorage.setItem(key, JSON.stringify({ ...stored(key), ...changes }));
}

/** The key names the user, so that a later user of the tab does not see these drafts. */
function keyOf(form: string): string {
  return `draft ${credentials.value?.user} ${form}`;
}

/**
 * Keeps the changes in session storage, so that they survive a reload, a change of view and a sign-out. Unchanged fields
 * follow `initial`.
 *
 * @param form a unique name, which must not change while the component exists
 */
export function useDraft<Fields extends object>(form: string, initial: Fields): Draft<Fields> {
  // An action can end after the user has signed out. It must still use this user's key.
  const key = useRef(keyOf(form)).current;
  const changes = useSignal<Partial<Fields>>(stored(key));
  const store = (value: Partial<Fields>) => {
    changes.value = value;
    if (Object.keys(value).length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  };
  return {
    fields: { ...initial, ...changes.value },
    changes: changes.value,
    set: (change) => store({ ...changes.value, ...change }),
    clear: () => store({}),
  };
}

function stored<Fields>(key: string): Partial<Fields> {
  return JSON.parse(sessionStorage.getItem(key) ?? '{}');
}
