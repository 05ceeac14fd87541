import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { environment } from '../environment.ts';
import type { Call } from './call.ts';
import { MailRefused, MailThrottled, Unavailable } from './errors.ts';
import { isOutage, isThrottled } from './outage.ts';

export interface BarkMail {
  readonly dogId: string;
  readonly recipients: readonly string[];
  readonly message: string | undefined;
  /** When the dog barked, in milliseconds since 1970. */
  readonly at: number;
}

/** SES cannot tell a repeat from a second mail, so the SDK must not repeat on its own. */
export const ses = new SESClient({
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
});

/**
 * Hands the mail of a bark over to SES, once, to all its recipients together.
 *
 * @throws MailRefused if SES will not have it, MailThrottled if not now; nothing was sent
 * @throws Unavailable if SES did not answer, or failed: it is unknown whether the mail was sent
 */
export async function sendMail({ dogId, recipients, message, at }: BarkMail, call: Call): Promise<void> {
  const command = new SendEmailCommand({
    Source: environment('MAIL_SENDER'),
    ConfigurationSetName: environment('MAIL_CONFIGURATION_SET'),
    Destination: { ToAddresses: [...recipients] },
    Message: {
      Subject: { Charset: 'UTF-8', Data: `${dogId} barked` },
      Body: {
        Text: {
          Charset: 'UTF-8',
          Data: `${message ?? 'Woof!'}\n\n-- \nThe dog ${dogId} barked at ${new Date(at).toISOString()}.\n`,
        },
      },
    },
  });
  try {
    await ses.send(command, { abortSignal: call.signal });
  } catch (cause) {
    if (isThrottled(cause)) throw new MailThrottled('The mail service is busy. No mail was sent.', { cause });
    if (isOutage(cause))
      throw new Unavailable('The mail service did not answer. The mail may have been sent.', { cause });
    throw new MailRefused('The mail service refused the mail.', { cause });
  }
}
