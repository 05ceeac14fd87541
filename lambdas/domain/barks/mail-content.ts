import type { Dog } from '../dogs/dog.ts';
import { escapeHtml } from '../platform/html.ts';

/**
 * The HTML is readable without its styles, has no images, and uses the mail program's colors, which can be dark.
 *
 * @param message undefined for the default text
 * @param at the time of the bark, in milliseconds since 1970
 */
export function contentOf(
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
