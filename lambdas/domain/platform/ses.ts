import { setTimeout as sleep } from 'node:timers/promises';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { environment } from '../../environment.ts';
import { MailNotSent, MailRefused, MailUnknown } from './errors.ts';
import { FreshConnections, isUnestablished } from './fresh-connections.ts';
import { type MimeMessage, mimeMessage } from './mime.ts';
import { isOutage, isThrottled, isWrongClock } from './outage.ts';
import type { RequestContext } from './request-context.ts';

/** A mail from the address of the service. */
export interface Mail extends Omit<MimeMessage, 'from'> {
  /** The tags of the mail, which its notifications contain. They have letters, digits, `-` and `_`. */
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * SES has no idempotency token, so the SDK must not retry a request. Each request opens a new connection. If a request used a
 * connection that had died while the function was frozen, the error would not show whether the mail was sent.
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

/** The number of attempts to send mail if no connection to SES can be established, or if SES refuses the signature. */
const connectionAttempts = 3;
const longestPauseMs = 200;

/**
 * Sends a mail as one message to all its recipients. The operation is SendRawEmail, because SendEmail accepts no header fields. Not
 * safe to call twice, because each call can send the mail.
 *
 * @throws MailRefused if SES does not accept the mail; nothing was sent
 * @throws MailNotSent if SES throttles the mail or cannot be reached; nothing was sent, and a later attempt may succeed
 * @throws MailUnknown if SES fails or does not respond: it is unknown whether the mail was sent
 */
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
      if (!isUnestablished(cause) && !isWrongClock(cause)) throw failureOf(cause);
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

function failureOf(cause: unknown): Error {
  if (isThrottled(cause))
    return new MailNotSent(
      'The mail service is overloaded. No mail was sent. Send the request again later.',
      { cause },
    );
  if (isOutage(cause)) return new MailUnknown({ cause });
  return new MailRefused('The mail service refused the mail. No mail was sent. Check the email address.', {
    cause,
  });
}
