import type { Dog } from '../dogs/dog.ts';
import { AddressSuspended, MailNotSent, Unavailable } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { sendMail } from '../platform/ses.ts';
import { mailKeyOf, subscriptionTokenOf } from '../suspensions/subscription.ts';
import { isSuspended } from '../suspensions/suspension.ts';

/** The mail that a bark sends. */
export interface BarkMail {
  readonly dog: Dog;
  readonly recipients: readonly string[];
  /** The text of the mail; undefined for the default text. */
  readonly message: string | undefined;
  /** When the dog barked, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Sends the mail of a bark as one message to all its recipients that are not suspended. Not safe to call twice, because each call can
 * send the mail. The tags of the mail name the dog, so that SES's notification of a bounce or a complaint names it too.
 *
 * @throws AddressSuspended if all recipients are suspended; nothing was sent
 * @throws MailRefused if SES does not accept the mail; nothing was sent
 * @throws MailNotSent if SES throttles the mail or cannot be reached, or if DynamoDB is unavailable when the dog gets its mail key;
 *   nothing was sent, and a later attempt may succeed
 * @throws MailUnknown if SES fails or does not respond: it is unknown whether the mail was sent
 */
export async function sendBarkMail(
  { dog, recipients, message, at }: BarkMail,
  context: RequestContext,
): Promise<void> {
  const { id, incarnation } = dog;
  const to = reachedRecipients(dog, recipients);
  await sendMail(
    {
      to,
      subject: `${id} barked`,
      headers: await unsubscribeHeaders(dog, to, context),
      text: `${message ?? 'Woof!'}\n\n-- \nThe dog ${id} barked at ${new Date(at).toISOString()}.\n`,
      tags: { dog: id, incarnation },
    },
    context,
  );
}

/**
 * Returns the recipients that are not suspended.
 *
 * @throws AddressSuspended if all recipients are suspended
 */
export function reachedRecipients(dog: Dog, recipients: readonly string[]): string[] {
  const reached = recipients.filter((address) => !isSuspended(dog, address));
  if (reached.length === 0)
    throw new AddressSuspended(
      'Every address of the mail is suspended. No mail was sent. GET the dog to see the reasons.',
    );
  return reached;
}

/** Logs that the mail of a bark failed. A suspended address is not a failure of the service, so it triggers no alarm. */
export function logMailFailure(what: { readonly dog: string; readonly bark: string }, error: unknown): void {
  if (error instanceof AddressSuspended) console.warn({ event: 'MailSuspended', ...what });
  else logEvent('MailFailed', what, error);
}

/**
 * Returns the header fields with which a mail program offers to unsubscribe. Returns none if the URL of the service is unknown: a
 * background function knows it only from the settings.
 *
 * @throws MailNotSent if the dog has no mail key, and DynamoDB is unavailable
 * @see {@link https://www.rfc-editor.org/rfc/rfc8058 RFC 8058}
 */
async function unsubscribeHeaders(
  dog: Dog,
  recipients: readonly string[],
  context: RequestContext,
): Promise<Record<string, string>> {
  const root = process.env.BASE_URL || (context.baseUrl ?? '');
  // The base URL of a request is only a path if the event has no domain name.
  if (!URL.canParse(root)) return {};
  const mailKey = await mailKeyOf(dog, context).catch((cause) => {
    if (!(cause instanceof Unavailable)) throw cause;
    throw new MailNotSent(
      'The database is overloaded or unreachable. No mail was sent. Send the request again later.',
      { cause },
    );
  });
  const url = `${root}/v1/dogs/${dog.id}/mail-subscription/${subscriptionTokenOf(mailKey, recipients)}`;
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
