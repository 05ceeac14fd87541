import { setTimeout as sleep } from 'node:timers/promises';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { environment } from '../../environment.ts';
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
 * What the owner of a mail must distinguish:
 *
 * - `refused`: nothing was sent, and a retry would have the same result.
 * - `not sent`: nothing was sent, but a later attempt may succeed.
 * - `unknown`: SES may have accepted the mail, so another attempt could send it a second time.
 */
const outcomes = {
  AddressSuspended: 'refused',
  MailRefused: 'refused',
  MailNotSent: 'not sent',
  /** SES sends no mail for this service until the operator acts. */
  MailUnavailable: 'not sent',
  MailUnknown: 'unknown',
} as const;

/**
 * A value, so that each owner of a mail decides what follows from its outcome. A synchronous bark throws it, because it is also the
 * response. Any other error is a defect, and leaves the mail claimed, as if the function had died.
 */
export class MailFailure extends Error {
  override readonly name: keyof typeof outcomes;

  constructor(name: MailFailure['name'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }

  get outcome(): (typeof outcomes)[MailFailure['name']] {
    return outcomes[this.name];
  }
}

export function mailUnknown(options?: ErrorOptions): MailFailure {
  return new MailFailure('MailUnknown', 'The mail may have been sent.', options);
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
export async function sendMail(
  { tags, ...content }: Mail,
  context: RequestContext,
): Promise<MailFailure | undefined> {
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
      return undefined;
    } catch (cause) {
      if (!isUnestablished(cause) && !isWrongClock(cause)) return failureOf(cause, from);
      const pause = { signal: context.signal };
      const isOver =
        attempt === connectionAttempts ||
        (await sleep(Math.random() * longestPauseMs, false, pause).catch(() => true));
      if (isOver)
        return new MailFailure(
          'MailNotSent',
          'The mail service is unreachable. No mail was sent. Send the request again later.',
          { cause },
        );
    }
  }
}

function failureOf(cause: unknown, from: string): MailFailure {
  if (isThrottled(cause))
    return new MailFailure(
      'MailNotSent',
      'The mail service is overloaded. No mail was sent. Send the request again later.',
      { cause },
    );
  if (!isRefused(cause)) return mailUnknown({ cause });
  if (concernsMail(cause as Error, from))
    return new MailFailure(
      'MailRefused',
      'The mail service refused the mail. No mail was sent. Check the email address.',
      { cause },
    );
  logEvent('SenderRefused', {}, cause);
  return new MailFailure(
    'MailUnavailable',
    'The service cannot send mail at the moment. No mail was sent. Send the request again later.',
    { cause },
  );
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
