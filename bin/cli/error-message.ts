import { AlreadyExists } from '../../lambdas/domain/access/items.ts';
import { InvalidGrant, NotFound, NotYet, Unavailable } from '../../lambdas/domain/platform/errors.ts';
import { InvalidSecret } from '../../lambdas/domain/platform/secrets-manager.ts';
import { ScheduleRefused } from '../../lambdas/domain/schedules/eventbridge.ts';
import { CommandFailed } from './errors.ts';

/** Errors that are printed without a stack trace. Of the others, those that `messageOf` does not explain are defects. */
const expected = [
  CommandFailed,
  AlreadyExists,
  InvalidGrant,
  InvalidSecret,
  NotFound,
  NotYet,
  ScheduleRefused,
  Unavailable,
];

/** Returns the stack trace of a defect, or an explanation of any other error. */
export function messageOf(error: Error): string {
  // @extension cli {
  if (error instanceof AlreadyExists)
    return `${error.message} To replace its ${secretOf[error.what]}, run "npx dogs ${error.what}s rotate".`;
  // @extension cli }
  if (error.name === 'AccessDeniedException' || error.name === 'AccessDenied')
    return `Your AWS credentials do not permit this. ${error.message}`;
  if (error.name === 'ResourceNotFoundException' || error.name === 'QueueDoesNotExist')
    return `A resource of the service does not exist: ${error.message} Deploy the stack again, or select another stack with --stack.`;
  // The SDK adds the response to an error of its parser.
  if ('$response' in error && !('$fault' in error))
    return `A response did not come from AWS: ${error.message.split('\n')[0]}. Check the network and the proxy.`;
  if ('$metadata' in error) return `A call to AWS failed. ${error.name}: ${error.message}`;
  return expected.some((kind) => error instanceof kind) ? error.message : String(error.stack);
}

// @extension cli {
const secretOf: Record<AlreadyExists['what'], string> = {
  user: 'password',
  client: 'secret',
  grant: 'refresh token',
};
// @extension cli }
