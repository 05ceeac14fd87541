/** All errors that a caller can react to. Those of a subject are defined in its folder. */
export { AlreadyExists } from '../../lambdas/domain/access/items.ts';
export { InvalidCursor } from '../../lambdas/domain/barks/bark.ts';
export { TooLate } from '../../lambdas/domain/barks/cancel.ts';
export { KeyReused, RequestInProgress } from '../../lambdas/domain/barks/idempotency-record.ts';
export { NotStored } from '../../lambdas/domain/barks/perform.ts';
export { StateMismatch } from '../../lambdas/domain/dogs/precondition.ts';
export { LimitReached } from '../../lambdas/domain/limits/usage.ts';
export * from '../../lambdas/domain/platform/errors.ts';
export { InvalidEvent } from '../../lambdas/domain/platform/event.ts';
export { InvalidSecret } from '../../lambdas/domain/platform/secrets-manager.ts';
export { MailFailure } from '../../lambdas/domain/platform/ses.ts';
export {
  DateInFuture,
  InvalidSchedule,
  ModifiedSince,
  TokenReused,
} from '../../lambdas/domain/schedules/decisions.ts';
export { ScheduleRefused } from '../../lambdas/domain/schedules/eventbridge.ts';
