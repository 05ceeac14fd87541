import type { HistoryEntry } from '../lambdas/domain/barks/history-entry.ts';
import { sortKey } from '../lambdas/domain/barks/keys.ts';
import type { Dog } from '../lambdas/domain/dogs/dog.ts';

const incarnation = '01JD000000000000000000000A';
/** When the dogs were created, in Unix seconds. */
const made = Date.UTC(2026, 0, 1) / 1000;

export function dogItem(id: string): Omit<Dog, 'settings'> & { settings: object } {
  return {
    id,
    incarnation,
    version: 1,
    lastModified: made,
    settingsVersion: 1,
    settingsModified: made,
    settings: { barkEffects: ['record'], barkHandling: 'sync' },
    barkCount: 0,
  };
}

export function barkItem(dog: string, number: number): HistoryEntry {
  return {
    dog,
    sk: sortKey('historyEntry', String(number).padStart(26, '0')),
    incarnation,
    timestamp: made + number,
    resource: true,
  };
}
