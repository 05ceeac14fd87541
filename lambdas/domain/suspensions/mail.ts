import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { MailNotSent, Unavailable } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { mailKeyOf, subscriptionTokenOf } from './subscription.ts';
import { AddressSuspended, distinct, isSuspended } from './suspension.ts';

/** The dog and its owner can have the same address, which then gets the mail once. */
export function reachedRecipients(dog: Dog, recipients: readonly string[]): string[] {
  const reached = distinct(recipients).filter((address) => !isSuspended(dog, address));
  if (reached.length === 0)
    throw new AddressSuspended(
      'Every recipient of the mail is suspended. No mail was sent. GET the dog to see the reasons.',
    );
  return reached;
}

/** A suspended address is not a failure of the service, so it triggers no alarm. */
export function logMailFailure(what: { readonly dog: string; readonly bark: string }, error: unknown): void {
  if (error instanceof AddressSuspended) console.warn({ event: 'MailSuspended', ...what });
  else logEvent('MailFailed', what, error);
}

export async function unsubscribeLink(
  dog: Dog,
  recipients: readonly string[],
  context: RequestContext,
): Promise<string> {
  const mailKey = await mailKeyOf(dog, context).catch((cause) => {
    if (!(cause instanceof Unavailable)) throw cause;
    throw new MailNotSent(
      'The database is overloaded or unreachable. No mail was sent. Send the request again later.',
      { cause },
    );
  });
  const token = subscriptionTokenOf(mailKey, recipients);
  return `${environment('BASE_URL')}/v1/dogs/${dog.id}/mail-subscription/${token}`;
}
