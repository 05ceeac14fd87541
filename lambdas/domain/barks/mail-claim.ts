import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { type Condition, type Part, updateOf } from '../platform/commit.ts';
import { leaseSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import type { Key } from './keys.ts';

/**
 * SES has no idempotency token, so a run claims a mail before it sends it. The claim belongs to the run alone, and no other run
 * takes it over, because the mail may have been sent. The lease only shows when the run must be dead:
 *
 *     claimed by a run ────┬──► sent
 *                          ├──► not sent: released, so that a later run may claim the mail
 *                          ├──► refused
 *                          └──► unknown: perhaps sent, or nothing was stored before the lease ended
 *
 * Each owner of a mail stores its claim with itself, and settles the claim in its own terms:
 *
 * | Owner of the mail                 | Claimed by                       | Sent             | Not sent        | Refused       | Unknown                   |
 * | --------------------------------- | -------------------------------- | ---------------- | --------------- | ------------- | ------------------------- |
 * | synchronous bark with a key       | PutItem of the record            | outcome          | record deleted  | the same      | `claimEnds` is 0          |
 * | synchronous bark without a key    | nothing                          | bark written     | nothing written | the same      | nothing written           |
 * | asynchronous bark                 | UpdateItem: `inProgress`         | `complete`       | `pending`       | `failed`      | `failed`                  |
 * | occurrence                        | the transaction of the bark      | `sent`           | `retry`         | `failed`      | `failed`                  |
 * | first bark of a schedule change   | the same, without a lease        | nothing stored   | `failed`        | `failed`      | `failed`                  |
 *
 * See `barkSync`, `performBark`, `barkAtOccurrence` and `applyOnce`. An error that is not a MailFailure is a defect: it settles
 * nothing, as if the function had died. A failure that no client sees is logged before it is settled, because once it is settled,
 * no later run would log it.
 */
export interface Claim {
  /** Unique to its run. A request ID is not, because Lambda can run one event twice. */
  readonly claim: string;
  /** The end of the lease, in Unix seconds. */
  readonly claimEnds: number;
}

export function newClaim(context: RequestContext): Claim {
  return { claim: crypto.randomUUID(), claimEnds: leaseEnd(context) };
}

export function leaseEnd({ now }: RequestContext): number {
  return seconds(now) + leaseSeconds;
}

/** Positive while the run with the claim may still be working. */
export function leaseLeft(
  { claimEnds = 0 }: { readonly claimEnds?: number | undefined },
  context: RequestContext,
): number {
  return claimEnds - seconds(context.now);
}

/**
 * Safe to write twice, because no other run stores the same claim. The refusal is the stored item.
 *
 * @param changes includes the claim
 */
export function storeClaim<Item extends object>(
  { dog, sk }: Key,
  changes: Partial<Item>,
  condition: Condition,
): Part<Item | undefined> {
  const update = updateOf({ TableName: environment('BARKS_TABLE'), Key: { dog, sk } }, changes, condition);
  return {
    actions: [{ Update: update }],
    single: {
      command: new UpdateCommand(update),
      isOwn: (stored) => Object.entries(changes).every(([name, value]) => stored?.[name] === value),
    },
    judge: ([failure]) => ({ refusal: failure?.item as Item | undefined }),
  };
}

/** If the item no longer has the claim, a later run has settled it, or the item was purged: nothing is left to do. */
export function settleClaim<Item extends object>(
  key: Key,
  changes: Partial<Item>,
  hasClaim: Condition,
): Part {
  return { ...storeClaim(key, changes, hasClaim), judge: () => 'written' };
}
