import type { Dog } from '../dogs/dog.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { sendMail } from '../platform/ses.ts';
import { reachedRecipients, unsubscribeLink } from '../suspensions/mail.ts';
import { contentOf } from './mail-content.ts';

export interface BarkMail {
  readonly dog: Dog;
  readonly recipients: readonly string[];
  /** Undefined for the default text. */
  readonly message: string | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** Not safe to call twice. The tags identify the dog in notifications of bounces and complaints. */
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
