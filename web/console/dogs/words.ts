import type { Dog, ListedDog } from '../../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { dateAndTime } from '../../shared/time.ts';
import { every, relativeTime } from '../times.ts';
import { settingFactsOf } from './settings.ts';

/*
 * The wording covers known and counted barks, never all barks: a bark that only sends mail may leave no trace, and a dog's
 * settings may have been different when it barked.
 */

/** `next` is in Unix seconds, and `frequency` is in minutes. */
export interface Schedule {
  readonly next?: number;
  readonly frequency?: number;
}

/** Returns what the service keeps about each bark under the dog's current settings. */
function keptOf({ barkEffects }: Pick<ListedDog, 'barkEffects'>): 'nothing' | 'record' | 'time' {
  if (barkEffects.includes('record')) return 'record';
  return barkEffects.includes('count') ? 'time' : 'nothing';
}

/** Returns undefined if the dog's count is 0 and its settings do not count barks. */
export function countOf(dog: Pick<ListedDog, 'barkCount' | 'barkEffects'>): string | undefined {
  if (dog.barkCount === 0 && keptOf(dog) === 'nothing') return undefined;
  return `${dog.barkCount.toLocaleString('en')} counted`;
}

interface Fact {
  readonly label: string;
  /** Text, or a time in Unix seconds. */
  readonly value: number | string;
}

/** @param now Unix seconds */
export function factsOf(dog: Dog, now: number): readonly Fact[] {
  const { barking, barks } = dog;
  const last = barks?.previous.at(-1);
  const next = barks?.next;
  return [
    { label: 'Barks', value: countOf(dog) ?? 'not counted' },
    { label: 'Last known bark', value: last ?? (keptOf(dog) === 'nothing' ? 'not kept' : 'none') },
    ...(barking ? [{ label: 'Async bark', value: 'pending' }] : []),
    { label: 'Scheduled', value: next === undefined ? 'none' : next <= now ? 'due now' : next },
    ...settingFactsOf(dog),
  ];
}

/** @param known the number of barks whose time is known */
export function extentOf(
  { barkCount, barkEffects }: Pick<Dog, 'barkCount' | 'barkEffects'>,
  known: number,
  hasOlder: boolean,
): string {
  if (known === 0 && barkCount === 0)
    return keptOf({ barkEffects }) === 'nothing' ? 'No record of barks' : 'No known barks';
  const barks = counted(known, 'known bark');
  if (hasOlder || known < barkCount) return `The latest ${barks} (${barkCount.toLocaleString('en')} counted)`;
  return known === 1 ? barks : `All ${barks}`;
}

/** Returns what the service keeps about the dog's barks. Undefined if it keeps a record of each. */
export function keptInWords(dog: Pick<Dog, 'barkEffects'>): string | undefined {
  const kept = keptOf(dog);
  if (kept === 'record') return undefined;
  if (kept === 'time')
    return 'This dog counts its barks, but does not record them. Only the times of the latest 100 are known.';
  return 'This dog keeps no record of its barks. Only the times of scheduled barks and of barks made with POST bark are known.';
}

/** @param now Unix seconds */
export function nextInWords({ next, frequency = 0 }: Schedule, now: number): string {
  if (next === undefined) return 'No bark is scheduled.';
  const repeated = frequency > 0 ? `, then ${every(frequency)}` : ', and is not repeated';
  const when = next <= now ? 'due now' : `${relativeTime(next, now)}, on ${dateAndTime(next)}`;
  return `The next scheduled bark is ${when}${repeated}.`;
}
