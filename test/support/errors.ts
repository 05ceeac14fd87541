/** All errors that a caller can react to. Those of an extension are defined in its folder. */
export { LimitReached } from '../../lambdas/domain/limits/limit-reached.ts';
export * from '../../lambdas/domain/platform/errors.ts';
export { AddressSuspended } from '../../lambdas/domain/suspensions/suspension.ts';
