import { setTimeout as sleep } from 'node:timers/promises';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { environment } from '../../environment.ts';
import { MailNotSent, MailRefused, MailUnavailable, MailUnknown } from './errors.ts';
import { FreshConnections, isUnestablished } from './fresh-connections.ts';
import { logEvent } from './logging.ts';
import { type MimeMessage, mimeMessage } from './mime.ts';
import { isRefused, isThrottled, isWrongClock } from './outage.ts';
import type { RequestContext } from './request-context.ts';

export interface Mail extends Omit<MimeMessage, 'from'> {
  /** SES copies the tags to its notifications. Tags may contain only letters, digits, `-` and `_`. */
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * SES has no idempotency token, so the SDK must not retry a request. Each request opens a new connection, because an error on a
 * connection that had died while the function was frozen would not show whether the mail was sent.
 */
export const ses = new SESClient({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    throwOnRequestTimeout: true,
    httpsAgent: new FreshConnections(),
    // Only endpoints on the same machine use HTTP without TLS.
    httpAgent: { keepAlive: false },
  },
});

/** The number of attempts if no connection to SES can be established, or if SES refuses the time in the signature. */
const connectionAttempts = 3;
const longestPauseMs = 200;

/** Uses SendRawEmail, because SendEmail accepts no header fields. Not safe to call twice. */
export async function sendMail({ tags, ...content }: Mail, context: RequestContext): Promise<void> {
  const from = environment('MAIL_SENDER');
  const command = new SendRawEmailCommand({
    Source: from,
    ConfigurationSetName: environment('MAIL_CONFIGURATION_SET'),
    Destinations: [...content.to],
    RawMessage: { Data: Buffer.from(mimeMessage({ from, ...content })) },
    Tags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
  });
  for (let attempt = 1; ; attempt++) {
    try {
      await ses.send(command, { abortSignal: context.signal });
      return;
    } catch (cause) {
      if (!isUnestablished(cause) && !isWrongClock(cause)) throw failureOf(cause, from);
      const notSent = new MailNotSent(
        'The mail service is unreachable. No mail was sent. Send the request again later.',
        { cause },
      );
      if (attempt === connectionAttempts) throw notSent;
      await sleep(Math.random() * longestPauseMs, undefined, { signal: context.signal }).catch(() => {
        throw notSent;
      });
    }
  }
}

function failureOf(cause: unknown, from: string): Error {
  if (isThrottled(cause))
    return new MailNotSent(
      'The mail service is overloaded. No mail was sent. Send the request again later.',
      { cause },
    );
  if (!isRefused(cause)) return new MailUnknown({ cause });
  if (concernsMail(cause as Error, from))
    return new MailRefused('The mail service refused the mail. No mail was sent. Check the email address.', {
      cause,
    });
  logEvent('SenderRefused', {}, cause);
  return new MailUnavailable({ cause });
}

/**
 * True if SES refused an email because of its recipients or its content. Any other refusal concerns the account, the sender, the
 * configuration set or a permission, and affects all mail. SES uses MessageRejected for both kinds of refusal.
 *
 * @see {@link https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html Email sending errors}
 */
function concernsMail({ name, message }: Error, from: string): boolean {
  if (name === 'InvalidParameterValue') return true;
  // For example: `Email address is not verified. The following identities failed the check in region US-EAST-1: one@example.com,
  // other@example.com`. In the sandbox, SES also checks the recipients.
  const isSenderUnverified = message.split(': ').at(-1)?.split(', ').includes(from);
  // For example: `Sending paused for this account. For more information, please check the inbox of the email address …`.
  return name === 'MessageRejected' && !isSenderUnverified && !/\b(paused|suspended)\b/i.test(message);
}
