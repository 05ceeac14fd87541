import { isKeyOf, nameIn } from '../../lambdas/domain/dogs/keys.ts';
import { wholeItemsOf } from '../start/tables.ts';
import { allOf, type Bark, type Dog, documentOf, header } from '../support/client.ts';
import type { Target } from './target.ts';

/** The stored history entry of a bark. */
interface HistoryEntry {
  /** The ID that clients know: an asynchronous bark keeps the ID of its acceptance. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly isRecorded: boolean;
}

/** The stored state of an incarnation of a dog. */
export interface Stored {
  /** True if a bark is still pending. */
  readonly barking: boolean;
  readonly count: number;
  readonly history: readonly HistoryEntry[];
  /** The IDs in the list of barks. */
  readonly listed: readonly string[];
  /** The asynchronous barks, by ID. */
  readonly barks: ReadonlyMap<string, { readonly status: string; readonly reason?: string }>;
}

/** @throws Error if the service does not return the dog and its barks */
export async function storedOf(
  target: Target,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<Stored> {
  const client = await target.client;
  const shown = await client.get(path);
  if (shown.status !== 200) throw new Error(`${path} responded with ${shown.status}: ${shown.text}`);
  const { barkCount, barking } = documentOf<Dog>(shown);
  const listed = (await allOf<Bark>(client, `${path}barks?limit=20`)).map((bark) => bark.id);
  // Several incarnations can have the same dog ID. The ETag contains the incarnation.
  const [, own] = /^"(\w+)\./.exec(header(shown, 'ETag')) ?? [];
  const items = (await wholeItemsOf(target.directory, id)).filter(({ incarnation }) => incarnation === own);
  const history = items.filter(({ sk }) => isKeyOf('historyEntry', String(sk)));
  const barks = items.filter(({ sk }) => isKeyOf('asyncBark', String(sk)));
  return {
    barking,
    count: barkCount,
    listed,
    history: history.map(({ sk, barkId, timestamp, resource }) => ({
      id: String(barkId ?? `s${nameIn(String(sk))}`),
      timestamp: Number(timestamp),
      isRecorded: resource === true,
    })),
    barks: new Map(
      barks.map(({ sk, status, reason }) => [
        `a${nameIn(String(sk))}`,
        { status: String(status), ...(reason !== undefined && { reason: String(reason) }) },
      ]),
    ),
  };
}
