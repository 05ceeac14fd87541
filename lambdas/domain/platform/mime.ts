/** All header values must be ASCII and must not contain line breaks. */
export interface MimeMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

/** The maximum in RFC 2045 section 6.8. */
const base64LineLength = 76;

/** No line of Base64 begins with a hyphen, so no part contains a line with the boundary. */
const boundary = 'part';

/**
 * Encodes each part as Base64, so that it can contain any characters and long lines.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5322 RFC 5322}
 * @see {@link https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4 RFC 2046 section 5.1.4}
 */
export function mimeMessage({ from, to, subject, headers = {}, text, html }: MimeMessage): string {
  const head = {
    From: from,
    // One address on each line, because two addresses can be longer than the recommended 78 characters.
    To: to.join(',\r\n '),
    Subject: subject,
    ...headers,
    'MIME-Version': '1.0',
    'Content-Type': `multipart/alternative; boundary=${boundary}`,
  };
  // A mail program shows the last part that it supports.
  const parts = [...partLines('plain', text), ...partLines('html', html)];
  return [...fieldLines(head), '', ...parts, `--${boundary}--`, ''].join('\r\n');
}

function partLines(type: 'plain' | 'html', content: string): string[] {
  const head = { 'Content-Type': `text/${type}; charset=utf-8`, 'Content-Transfer-Encoding': 'base64' };
  return [`--${boundary}`, ...fieldLines(head), '', ...base64Lines(content)];
}

function fieldLines(fields: Readonly<Record<string, string>>): string[] {
  return Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
}

/** In an email, each line of text ends with CRLF. */
function base64Lines(text: string): string[] {
  const encoded = Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n')).toString('base64');
  return encoded.match(new RegExp(`.{1,${base64LineLength}}`, 'g')) ?? [];
}
