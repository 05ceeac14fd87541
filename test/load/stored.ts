import { wholeItemsOf } from '../start/tables.ts';
import { allOf, type Bark, dogAt } from '../support/client.ts';
import type { Target } from './target.ts';

/** What the table of barks holds of a bark that happened. */
export interface Note {
  /** The id by which clients may know it: an asynchronous bark keeps the one under which it was accepted. */
  readonly id: string;
  /** The incarnation of its dog, which is one of several under the same id. */
  readonly incarnation: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly isRecorded: boolean;
}

/** Where a dog is found: its id in the tables, and its path in the interface. */
interface DogAddress {
  readonly id: string;
  readonly path: string;
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

export async function storedOf(target: Target, dog: DogAddress): Promise<Stored> {
  const client = await target.client;
  const notes = await notesOf(target, dog);
  const barks = await allOf<Bark>(client, `${dog.path}barks?limit=100`);
  const { barkCount, barking } = await dogAt(client, dog.path);
  return { barking, count: barkCount, notes, listed: barks.map(({ id }) => id) };
}

/** The notes of a dog's barks, in whatever incarnation of it. */
export async function notesOf({ directory }: Target, { id }: Pick<DogAddress, 'id'>): Promise<Note[]> {
  const items = await wholeItemsOf(directory, id);
  return items.filter(({ sk }) => String(sk).startsWith('b#')).map(noteOf);
}

function noteOf({ sk, barkId, incarnation, timestamp, resource }: Record<string, unknown>): Note {
  return {
    id: String(barkId ?? `s${String(sk).slice('b#'.length)}`),
    incarnation: String(incarnation),
    timestamp: Number(timestamp),
    isRecorded: resource === true,
  };
}
