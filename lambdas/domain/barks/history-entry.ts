import { environment } from '../../environment.ts';
import { type Dog, type Effect, isRecorded, recipientsOfDog } from '../dogs/dog.ts';
import { occurrenceUlid, type Schedule } from '../dogs/schedule.ts';
import type { Part } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type Bark, idOf } from './bark.ts';
import { sortKey } from './keys.ts';
import { type Claim, leaseLeft, newClaim, settleClaim, storeClaim } from './mail-claim.ts';

/** An item in the barks table (see `docs/data-model.md`). Only the state of its mail ever changes. */
export type HistoryEntry =
  | (Entry & { readonly mail?: never; readonly claim?: never; readonly delivery?: never })
  | ClaimedEntry
  | (Entry & ClaimedMail & { readonly mail: 'sent' | 'retry' | 'failed' })
  | (Entry & { readonly mail: 'dropped'; readonly claim?: never; readonly delivery?: string });

interface Entry {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  /** In Unix seconds. */
  readonly timestamp: number;
  readonly resource?: true;
  readonly barkId?: string;
}

/**
 * Only the mail of a scheduled bark has a state, because any other bark sends its mail before its entry is written. `claimEnds` and
 * `delivery` are absent if the bark is part of a schedule change, because its mail is then never retried.
 */
type ClaimedMail = Pick<Claim, 'claim'> & { readonly claimEnds?: number; readonly delivery?: string };

/** The run with the claim is sending the mail; see `mailStateOf`. */
export type ClaimedEntry = Entry & ClaimedMail & { readonly mail: 'inProgress' };

/**
 * The state of a scheduled bark's mail. Stored values with other names are in parentheses:
 *
 *     ┌──► being sent (inProgress) ────┬──► sent
 *     │       ▲  │                     ├──► failed: refused, perhaps sent, or not to be retried
 *     │       │  ▼                     │        ▲
 *     │   not sent (retry)             └──► unknown (inProgress): nothing was stored before the lease ended
 *     │
 *     entry ──► dropped: the dog's mail had reached its limit
 *
 * The run with the stored claim stores `sent`, `retry` or `failed`, even after its lease has expired. The delivery's next attempt
 * stores `failed` if it finds the mail `unknown`. A schedule change never records that its first bark's mail was sent: the state
 * of that mail stays `unknown`.
 */
export function mailStateOf(entry: HistoryEntry, context: RequestContext) {
  if (entry.mail === 'inProgress') return leaseLeft(entry, context) > 0 ? 'being sent' : 'unknown';
  return entry.mail === 'retry' ? 'not sent' : entry.mail;
}

/** @param barkId the ID of an asynchronous bark */
export function newHistoryEntry(
  dog: Dog,
  effects: readonly Effect[],
  context: RequestContext,
  barkId?: string,
): HistoryEntry {
  return {
    dog: dog.id,
    sk: sortKey('historyEntry', ulid(context.now)),
    incarnation: dog.incarnation,
    timestamp: seconds(context.now),
    ...(isRecorded(effects) && { resource: true }),
    ...(barkId !== undefined && { barkId }),
  };
}

/**
 * The entry of a bark at an occurrence, with a claim if the dog's effects need mail.
 *
 * @param deliveryId absent if the bark is part of a schedule change
 */
export function occurrenceEntry(
  dog: Dog,
  schedule: Schedule,
  { scheduledAt, deliveryId }: { readonly scheduledAt: number; readonly deliveryId?: string },
  context: RequestContext,
): HistoryEntry {
  const entry: Entry = {
    dog: dog.id,
    sk: sortKey('historyEntry', occurrenceUlid(schedule, scheduledAt)),
    incarnation: dog.incarnation,
    timestamp: scheduledAt,
    ...(isRecorded(dog.settings.barkEffects) && { resource: true }),
  };
  if (recipientsOfDog(dog).length === 0) return entry;
  const { claim, claimEnds } = newClaim(context);
  return {
    ...entry,
    mail: 'inProgress',
    claim,
    ...(deliveryId !== undefined && { claimEnds, delivery: deliveryId }),
  };
}

export function withoutMail({ claim: _, claimEnds: __, ...entry }: ClaimedEntry): HistoryEntry {
  return { ...entry, mail: 'dropped' };
}

export function barkOfEntry(item: HistoryEntry): Bark | undefined {
  if (!item.resource) return undefined;
  const { dog, timestamp, barkId: id = idOf(item) } = item;
  return { id, dog, timestamp, status: 'complete', seeDog: false };
}

/** The entry's key is new, so a stored entry with the same key comes from an earlier attempt. */
export function addHistoryEntry(entry: HistoryEntry): Part {
  const put = {
    TableName: environment('BARKS_TABLE'),
    Item: entry,
    ConditionExpression: 'attribute_not_exists(sk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  return { actions: [{ Put: put }], judge: () => 'written' };
}

/** Another attempt at the same occurrence may have written the entry. The refusal is the stored entry. */
export function addOccurrenceEntry(entry: HistoryEntry): Part<HistoryEntry> {
  const judge: Part<HistoryEntry>['judge'] = ([failure]) => ({
    refusal: failure?.item as unknown as HistoryEntry,
  });
  return { ...addHistoryEntry(entry), judge };
}

/** @param entry with a new claim on the mail, which was not sent */
export function claimMail(entry: Required<ClaimedMail> & ClaimedEntry): Part<HistoryEntry | undefined> {
  const { mail, claim, claimEnds, delivery } = entry;
  const wasReleased = { expression: 'mail = :from', values: { ':from': 'retry' } };
  return storeClaim<ClaimedEntry>(entry, { mail, claim, claimEnds, delivery }, wasReleased);
}

export function settleMail(entry: ClaimedEntry, mail: 'sent' | 'retry' | 'failed'): Part {
  const { claim } = entry;
  const hasClaim = { expression: 'mail = :from AND claim = :claim', values: { ':from': 'inProgress' } };
  return settleClaim<HistoryEntry>(entry, { mail, claim }, hasClaim);
}
