import type { HistoryEntry } from '../lambdas/domain/barks/bark.ts';
import type { Dog } from '../lambdas/domain/dogs/dog.ts';

/** What all dogs of the benchmark have in common: the incarnation, and when they were made, in Unix seconds. */
const incarnation = '01JD000000000000000000000A';
const made = Date.UTC(2026, 0, 1) / 1000;

/** A dog that barks at once and records its barks, as its table has it. */
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

/** A recorded bark of such a dog, as its table has it. */
export function barkItem(dog: string, number: number): HistoryEntry {
  return {
    dog,
    sk: `b#${String(number).padStart(26, '0')}`,
    incarnation,
    timestamp: made + number,
    resource: true,
  };
}
