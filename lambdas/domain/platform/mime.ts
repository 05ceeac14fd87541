/** A mail with a plain text. All header values must be ASCII and must not contain line breaks. */
export interface MimeMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The maximum of RFC 2045 section 6.8. */
const base64LineLength = 76;

/**
 * Returns a mail in the Internet Message Format. The text is encoded as Base64, so that it can contain any characters and long lines.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5322 RFC 5322}
 * @see {@link https://www.rfc-editor.org/rfc/rfc2045 RFC 2045}
 */
export function mimeMessage({ from, to, subject, headers = {}, text }: MimeMessage): string {
  const fields = {
    From: from,
    // A line has at most 998 characters. Two addresses can be longer than the recommended 78.
    To: to.join(',\r\n '),
    Subject: subject,
    ...headers,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': 'base64',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [...head, '', ...base64Lines(text), ''].join('\r\n');
}

/** In a mail, each line of a text ends with CRLF. */
function base64Lines(text: string): string[] {
  const encoded = Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n')).toString('base64');
  return encoded.match(new RegExp(`.{1,${base64LineLength}}`, 'g')) ?? [];
}
