import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { MailNotSent, Unavailable } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { sendMail } from '../platform/ses.ts';
import { mailKeyOf, subscriptionTokenOf } from '../suspensions/subscription.ts';
import { AddressSuspended, isSuspended } from '../suspensions/suspension.ts';
import { contentOf } from './mail-content.ts';

export interface BarkMail {
  readonly dog: Dog;
  readonly recipients: readonly string[];
  /** Undefined for the default text. */
  readonly message: string | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Not safe to call twice, because each call can send the mail. The tags of the mail name the dog, so that SES's notification of a
 * bounce or a complaint names it too. Also throws MailNotSent if DynamoDB is unavailable when the dog gets its mail key.
 */
export async function sendBarkMail(
  { dog, recipients, message, at }: BarkMail,
  context: RequestContext,
): Promise<void> {
  const { id, incarnation } = dog;
  const to = reachedRecipients(dog, recipients);
  const link = await unsubscribeLink(dog, to, context);
  await sendMail(
    {
      to,
      headers: {
        // A mail program sends no automatic reply: https://www.rfc-editor.org/rfc/rfc3834#section-5
        'Auto-Submitted': 'auto-generated',
        // A mail program offers to unsubscribe: https://www.rfc-editor.org/rfc/rfc8058
        'List-Unsubscribe': `<${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      ...contentOf(dog, { to, message, at, link }),
      tags: { dog: id, incarnation },
    },
    context,
  );
}

export function reachedRecipients(dog: Dog, recipients: readonly string[]): string[] {
  const reached = recipients.filter((address) => !isSuspended(dog, address));
  if (reached.length === 0)
    throw new AddressSuspended(
      'Every address of the mail is suspended. No mail was sent. GET the dog to see the reasons.',
    );
  return reached;
}

/** A suspended address is not a failure of the service, so it triggers no alarm. */
export function logMailFailure(what: { readonly dog: string; readonly bark: string }, error: unknown): void {
  if (error instanceof AddressSuspended) console.warn({ event: 'MailSuspended', ...what });
  else logEvent('MailFailed', what, error);
}

async function unsubscribeLink(
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
