import { useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { type Draft, formOf, useDraft } from '../drafts.ts';
import { fieldNames, type Settings, settingsOf } from './settings.ts';
import { isSameSettings, type Merge, mergeSettings, withFields } from './settings-merge.ts';

interface Base {
  readonly settings: Settings;
  readonly tag: string | undefined;
}

export interface EditedSettings extends Merge {
  /** The service's settings, as the page last read or saved them. */
  readonly theirs: Settings;
  /** The settings on which the user's changes are based. */
  readonly base: Settings;
  /** The dog's current entity tag or, while there are conflicts, that of the version on which the changes are based. */
  readonly tag: string | undefined;
  readonly isChanged: boolean;
  /** True after a request has changed the settings, until the page has read the dog again. */
  readonly isStale: boolean;
  set(change: Partial<Settings>): void;
  resolve(name: string, side: 'mine' | 'theirs'): void;
  reset(): void;
  /** Discards the changes, and shows the settings that a request has stored. */
  saved(settings: Settings): void;
}

type Fields = Settings & { readonly base: Base | undefined };

/**
 * Fields that the user has not changed follow the dog. Changes survive a reload, together with the settings on which they are
 * based.
 *
 * @param tag the entity tag of `dog`
 */
export function useSettings(dog: Dog, tag: string | undefined): EditedSettings {
  const [lastSaved, setLastSaved] = useState<Base>();
  const read = settingsOf(dog);
  const isStale =
    lastSaved !== undefined && lastSaved.tag === tag && !isSameSettings(lastSaved.settings, read);
  const theirs = isStale ? lastSaved.settings : read;
  const draft: Draft<Fields> = useDraft<Fields>(formOf(dog.id, 'settings'), { ...theirs, base: undefined });
  const base: Base = draft.changes.base ?? { settings: theirs, tag };
  const changedNames = fieldNames.filter((name) => name in draft.changes);
  const mine = withFields(base.settings, draft.fields, changedNames);
  const merge = mergeSettings(base.settings, mine, theirs);
  const { conflicts, taken } = merge;
  const rebased: Partial<Fields> = {
    ...Object.fromEntries(taken.map((name) => [name, theirs[name]])),
    base: {
      // Except in conflicting fields, the changes are now based on the current settings.
      settings: withFields(theirs, base.settings, conflicts),
      tag: conflicts.length > 0 ? base.tag : tag,
    },
  };
  return {
    ...merge,
    theirs,
    base: base.settings,
    // With the old tag, the service refuses the change while a conflict is unresolved.
    tag: conflicts.length > 0 ? base.tag : tag,
    isChanged: !isSameSettings(base.settings, mine),
    isStale,
    set: (change) => draft.set({ ...rebased, ...change }),
    resolve: (name, side) =>
      draft.set({
        base: { ...base, settings: withFields(base.settings, theirs, [name]) },
        ...(side === 'theirs' && { [name]: theirs[name] }),
      }),
    reset: draft.clear,
    saved: (settings) => {
      setLastSaved({ settings, tag });
      draft.clear();
    },
  };
}
