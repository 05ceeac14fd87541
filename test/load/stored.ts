import { wholeItemsOf } from '../start/tables.ts';
import { allOf, type Bark, dogAt } from '../support/client.ts';
import type { LoadDog } from './dogs.ts';
import type { Target } from './target.ts';

/** What the table of barks holds of a bark that happened. */
export interface Note {
  /** The id by which clients may know it: an asynchronous bark keeps the one under which it was accepted. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly isRecorded: boolean;
  /** How far the mail of a scheduled bark is. */
  readonly mail: string | undefined;
}

/** What is stored of a dog. */
export interface Stored {
  /** Whether a bark is pending still. */
  readonly barking: boolean;
  readonly count: number;
  readonly notes: readonly Note[];
  /** The ids that the list of barks shows. */
  readonly listed: readonly string[];
}

export async function storedOf(target: Target, dog: LoadDog): Promise<Stored> {
  const client = await target.client;
  const items = await wholeItemsOf(target.directory, dog.id);
  const barks = await allOf<Bark>(client, `${dog.path}barks?limit=100`);
  const { barkCount, barking } = await dogAt(client, dog.path);
  const notes = items.filter(({ sk }) => String(sk).startsWith('b#')).map(noteOf);
  return { barking, count: barkCount, notes, listed: barks.map(({ id }) => id) };
}

function noteOf({ sk, barkId, timestamp, resource, mail }: Record<string, unknown>): Note {
  return {
    id: String(barkId ?? `s${String(sk).slice('b#'.length)}`),
    timestamp: Number(timestamp),
    isRecorded: resource === true,
    mail: mail === undefined ? undefined : String(mail),
  };
}
