import { isKeyOf, nameIn } from '../../lambdas/domain/dogs/keys.ts';
import { wholeItemsOf } from '../start/tables.ts';
import { allOf, type Bark, dogAt } from '../support/client.ts';
import type { Target } from './target.ts';

/** The stored history entry of a bark. */
export interface HistoryEntry {
  /** The ID that clients know: an asynchronous bark keeps the ID of its acceptance. */
  readonly id: string;
  /** The incarnation of the dog. Several incarnations can have the same dog ID. */
  readonly incarnation: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly isRecorded: boolean;
}

/** The address of a dog: its ID in the tables, and its path in the API. */
interface DogAddress {
  readonly id: string;
  readonly path: string;
}

/** The stored state of a dog. */
export interface Stored {
  /** True if a bark is still pending. */
  readonly barking: boolean;
  readonly count: number;
  readonly history: readonly HistoryEntry[];
  /** The IDs in the list of barks. */
  readonly listed: readonly string[];
}

export async function storedOf(target: Target, dog: DogAddress): Promise<Stored> {
  const client = await target.client;
  const history = await historyOf(target, dog);
  const barks = await allOf<Bark>(client, `${dog.path}barks?limit=100`);
  const { barkCount, barking } = await dogAt(client, dog.path);
  return { barking, count: barkCount, history, listed: barks.map(({ id }) => id) };
}

/** Returns the history entries of all incarnations of a dog. */
export async function historyOf(
  { directory }: Target,
  { id }: Pick<DogAddress, 'id'>,
): Promise<HistoryEntry[]> {
  const items = await wholeItemsOf(directory, id);
  return items.filter(({ sk }) => isKeyOf('historyEntry', String(sk))).map(entryOf);
}

function entryOf({ sk, barkId, incarnation, timestamp, resource }: Record<string, unknown>): HistoryEntry {
  return {
    id: String(barkId ?? `s${nameIn(String(sk))}`),
    incarnation: String(incarnation),
    timestamp: Number(timestamp),
    isRecorded: resource === true,
  };
}
