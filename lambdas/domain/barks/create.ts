import { readDog } from '../dogs/read.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { barkAsync } from './create-async.ts';
import { barkSync } from './create-sync.ts';
import type { BarkOutcome, BarkRequest } from './request.ts';

/**
 * Makes a dog bark, synchronously or asynchronously, according to its settings and the request.
 *
 * @returns the outcome of the request, or of the first request with the same idempotency key
 * @throws NotFound if the dog does not exist, or if it is deleted before it barks
 * @throws any error of `request.check`
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws AddressSuspended if all recipients of the mail for a synchronous bark are suspended
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit
 * @throws MailRefused if SES refuses the mail for a synchronous bark
 * @throws MailNotSent if SES throttles the request to send the mail for a synchronous bark, or cannot be reached
 * @throws MailUnknown if the mail of this request or of the first one may have been sent: the dog has not barked
 * @throws Unavailable if another AWS service is unavailable: it is then unknown whether the dog has barked
 */
export async function createBark(
  dogId: string,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const dog = await readDog(dogId, context);
  await request.check?.(dog, context);
  const handle = request.isAsync || dog.settings.barkHandling === 'async' ? barkAsync : barkSync;
  return handle(dog, request, context);
}
