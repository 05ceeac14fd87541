import { environment } from '../../environment.ts';
import { type Effect, isCounted } from '../dogs/dog.ts';
import { type Action, type Condition, type Part, updateOf } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type Bark, idOf, reasons } from './bark.ts';
import { nameIn, sortKey } from './keys.ts';
import { type Claim, settleClaim, storeClaim } from './mail-claim.ts';

/** An item of the barks table (see `docs/data-model.md`). Times are in Unix seconds. */
export interface AsyncBark {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  /**
   * Each transition is one conditional write, so only one of several concurrent transitions succeeds:
   *
   *     accepted ──► pending ──── claim (a run sends the mail) ───► inProgress ──► complete, failed
   *                  │     ▲                                        │
   *                  │     └──── release (no mail was sent) ────────┘
   *                  └──► complete (no mail to send), failed, cancelled
   *
   * Clients see a bark in progress as pending, but can no longer cancel it.
   */
  readonly status: 'pending' | 'inProgress' | 'complete' | 'failed' | 'cancelled';
  readonly effects: readonly Effect[];
  readonly message?: string;
  readonly inHistory?: true;
  /** If the bark is still open at this time, it counts as failed, and no run can claim it. */
  readonly deadline: number;
  readonly claim?: string | undefined;
  /** The end of the lease. Until then, no other run may fail the bark. */
  readonly claimEnds?: number | undefined;
  readonly timestamp?: number;
  readonly reason?: string;
  readonly expires?: number | undefined;
}

/** An item of the barks table that exists while an asynchronous bark is pending or in progress. */
export interface PendingMarker {
  readonly dog: string;
  /** Contains the deadline and then the bark's ULID, so that markers sort by deadline. */
  readonly sk: string;
  readonly incarnation: string;
  readonly expires: number;
}

export function barkOfAsync(item: AsyncBark, { now }: RequestContext): Bark {
  const { dog, status, effects, timestamp = null, reason } = item;
  const bark = { id: idOf(item), dog, timestamp, seeDog: false };
  if (!isOpen(item))
    return {
      ...bark,
      status: status as Bark['status'],
      seeDog: status === 'complete' && isCounted(effects),
      ...(reason !== undefined && { reason }),
    };
  if (item.deadline > seconds(now)) return { ...bark, status: 'pending' };
  const why = status === 'inProgress' ? `${reasons.notInTime} ${reasons.mailUnknown}` : reasons.notInTime;
  return { ...bark, status: 'failed', reason: why };
}

export function isOpen({ status }: AsyncBark): boolean {
  return status === 'pending' || status === 'inProgress';
}

/** `pending` also requires that the deadline has not passed. */
export type ExpectedState = 'pending' | { readonly claimedBy: string };

/** The keys are unique to the request, so a stored bark with the same key comes from an earlier attempt. */
export function addAsyncBark(bark: AsyncBark): Part {
  const { incarnation, deadline } = bark;
  const marker: PendingMarker = { ...markerKey(bark), incarnation, expires: deadline };
  const put = (item: AsyncBark | PendingMarker): Action => ({
    Put: {
      TableName: environment('BARKS_TABLE'),
      Item: item,
      ConditionExpression: 'attribute_not_exists(sk)',
    },
  });
  return { actions: [put(bark), put(marker)], judge: () => 'written' };
}

/** Moves a bark to a final status, and deletes its marker. The refusal is the stored bark. */
export function endBark(
  bark: AsyncBark,
  expected: ExpectedState,
  changes: Partial<AsyncBark>,
  context: RequestContext,
): Part<AsyncBark | undefined> {
  const condition = expected === 'pending' ? isPending(context) : isClaimedBy(expected.claimedBy);
  const { dog, sk } = bark;
  const TableName = environment('BARKS_TABLE');
  const marker = { Delete: { TableName, Key: markerKey(bark) } };
  return {
    actions: [{ Update: updateOf({ TableName, Key: { dog, sk } }, changes, condition) }, marker],
    judge: ([failure]) => ({ refusal: failure?.item as AsyncBark | undefined }),
  };
}

export function claimBark(
  bark: AsyncBark,
  claim: Claim,
  context: RequestContext,
): Part<AsyncBark | undefined> {
  const { expression, values } = isPending(context);
  // Without the last claim in the condition, a delayed attempt at this write could claim the bark again after its release.
  const hasLastClaim = bark.claim === undefined ? 'attribute_not_exists(claim)' : 'claim = :lastClaim';
  const condition = {
    expression: `${expression} AND ${hasLastClaim}`,
    values: { ...values, ...(bark.claim !== undefined && { ':lastClaim': bark.claim }) },
  };
  return storeClaim<AsyncBark>(bark, { status: 'inProgress', ...claim }, condition);
}

export function releaseBark(bark: AsyncBark, { claim }: Claim): Part {
  return settleClaim<AsyncBark>(bark, { status: 'pending', claim, claimEnds: undefined }, isClaimedBy(claim));
}

function markerKey({ dog, sk, deadline }: AsyncBark): Pick<PendingMarker, 'dog' | 'sk'> {
  return { dog, sk: sortKey('pendingMarker', `${deadline}#${nameIn(sk)}`) };
}

function isPending({ now }: RequestContext): Condition {
  return {
    expression: '#status = :isPending AND deadline > :now',
    values: { ':isPending': 'pending', ':now': seconds(now) },
  };
}

function isClaimedBy(claim: string): Condition {
  return {
    expression: '#status = :isInProgress AND claim = :claimedBy',
    values: { ':isInProgress': 'inProgress', ':claimedBy': claim },
  };
}
