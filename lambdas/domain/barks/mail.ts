import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { Unavailable } from '../platform/errors.ts';
import { escapeHtml } from '../platform/html.ts';
import { logEvent } from '../platform/logging.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { MailFailure, sendMail } from '../platform/ses.ts';
import { mailKeyOf, subscriptionTokenOf } from '../suspensions/subscription.ts';
import { distinct, isSuspended } from '../suspensions/suspension.ts';

export interface BarkMail {
  readonly dog: Dog;
  readonly recipients: readonly string[];
  /** Undefined for the default text. */
  readonly message: string | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Not safe to call twice. The tags identify the dog in notifications of bounces and complaints.
 *
 * @returns undefined if SES accepted the mail
 */
export async function sendBarkMail(
  { dog, recipients, message, at }: BarkMail,
  context: RequestContext,
): Promise<MailFailure | undefined> {
  const { id, incarnation } = dog;
  const to = reached(dog, recipients);
  if (to.length === 0) return allSuspended();
  const link = await unsubscribeLink(dog, to, context);
  if (link instanceof MailFailure) return link;
  return sendMail(
    {
      to,
      headers: {
        // Stops automatic replies: https://www.rfc-editor.org/rfc/rfc3834#section-5
        'Auto-Submitted': 'auto-generated',
        // Lets mail programs offer an unsubscribe button: https://www.rfc-editor.org/rfc/rfc8058
        'List-Unsubscribe': `<${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      ...contentOf(dog, { to, message, at, link }),
      tags: { dog: id, incarnation },
    },
    context,
  );
}

/** For a bark that must change nothing if no mail can be sent. */
export function failureIfSuspended(dog: Dog, recipients: readonly string[]): MailFailure | undefined {
  return reached(dog, recipients).length === 0 ? allSuspended() : undefined;
}

/** The dog and its owner can have the same address, which then gets the mail once. */
function reached(dog: Dog, recipients: readonly string[]): string[] {
  return distinct(recipients).filter((address) => !isSuspended(dog, address));
}

function allSuspended(): MailFailure {
  return new MailFailure(
    'AddressSuspended',
    'Every recipient of the mail is suspended. No mail was sent. GET the dog to see the reasons.',
  );
}

/** A suspended address triggers no alarm. */
export function logMailFailure(
  what: { readonly dog: string; readonly bark: string },
  failure: MailFailure,
): void {
  if (failure.name === 'AddressSuspended') console.warn({ event: 'MailSuspended', ...what });
  else logEvent('MailFailed', what, failure);
}

async function unsubscribeLink(
  dog: Dog,
  recipients: readonly string[],
  context: RequestContext,
): Promise<string | MailFailure> {
  try {
    const token = subscriptionTokenOf(await mailKeyOf(dog, context), recipients);
    return `${environment('BASE_URL')}/v1/dogs/${dog.id}/mail-subscription/${token}`;
  } catch (cause) {
    if (!(cause instanceof Unavailable)) throw cause;
    return new MailFailure(
      'MailNotSent',
      'The database is overloaded or unreachable. No mail was sent. Send the request again later.',
      { cause },
    );
  }
}

/**
 * The HTML is readable without its styles, has no images, and uses the mail program's colors, which can be dark.
 *
 * @param message undefined for the default text
 * @param at the time of the bark, in milliseconds since 1970
 */
function contentOf(
  { id, settings }: Dog,
  {
    to,
    message = 'Woof!',
    at,
    link,
  }: { to: readonly string[]; message: string | undefined; at: number; link: string },
) {
  const subject = `${id} barked`;
  // In UTC, because the recipients' time zones are unknown; without `Intl`, which would take 10 ms to load its data.
  const time = new Date(at).toUTCString().replace(/ (\S+) GMT$/, ' at $1 UTC');
  const roles = to.map((address) => (address === settings.email ? 'the dog' : 'the owner of the dog'));
  const reason = `You are receiving this email because your address is that of ${[...new Set(roles)].join(' or ')} ${id}.`;
  const lines = message.split(/\r\n|\r|\n/).map(escapeHtml);
  return {
    subject,
    text: `${message}\n\nThe dog ${id} barked on ${time}.\n\n-- \n${reason}\nUnsubscribe: ${link}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="max-width:34rem;margin:0 auto;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif">
<p style="padding-left:1rem;border-left:3px solid #c2571f;font-size:1.125rem">${lines.join('<br>')}</p>
<p>The dog ${id} barked on <time datetime="${new Date(at).toISOString()}">${time}</time>.</p>
<hr>
<p style="font-size:.8125rem">${reason}<br><a href="${escapeHtml(link)}">Unsubscribe</a></p>
</body></html>
`,
  };
}
