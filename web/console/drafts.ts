import { useSignal } from '@preact/signals';
import { credentials } from '../shared/session.ts';

/** The changes that the user has made to the fields of a form. */
export interface Draft<Fields extends object> {
  /** The fields with the changes. */
  readonly fields: Fields;
  readonly changes: Partial<Fields>;
  set(change: Partial<Fields>): void;
  /** Forgets the changes. */
  clear(): void;
}

/** Returns the key of a draft. Another user of the tab does not see the drafts of the first one. */
function keyOf(form: string): string {
  return `draft ${credentials.value?.user} ${form}`;
}

/**
 * Returns the draft of a form. The session storage keeps the changes, so that they survive a reload, another view, and the end
 * of the session. Fields without a change follow `initial`.
 *
 * @param form a name for the form that no other form has. It must not change while the component exists
 */
export function useDraft<Fields extends object>(form: string, initial: Fields): Draft<Fields> {
  const changes = useSignal<Partial<Fields>>(stored(form));
  const store = (value: Partial<Fields>) => {
    changes.value = value;
    if (Object.keys(value).length === 0) sessionStorage.removeItem(keyOf(form));
    else sessionStorage.setItem(keyOf(form), JSON.stringify(value));
  };
  return {
    fields: { ...initial, ...changes.value },
    changes: changes.value,
    set: (change) => store({ ...changes.value, ...change }),
    clear: () => store({}),
  };
}

function stored<Fields>(form: string): Partial<Fields> {
  return JSON.parse(sessionStorage.getItem(keyOf(form)) ?? '{}');
}
