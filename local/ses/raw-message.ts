/** The parts of a message that the inbox shows. */
export interface RawMessage {
  /** The header fields, by name in lower case. Folded lines are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: { readonly text: string; readonly html: string };
}

/**
 * Parses a message in the Internet Message Format. It shows the text of a message with one part, in any content transfer encoding. It
 * shows the source of a message with several parts.
 *
 * @returns undefined if the message has no empty line, which separates the header from the body
 * @see {@link https://www.rfc-editor.org/rfc/rfc5322 RFC 5322}
 */
export function parseRawMessage(message: Buffer): RawMessage | undefined {
  const source = message.toString('latin1');
  const [, head, content] = /^(.*?\r?\n)\r?\n(.*)$/s.exec(source) ?? [];
  if (head === undefined || content === undefined) return undefined;
  const headers = new Map(
    head
      .replace(/\r?\n(?=[ \t])/g, '')
      .split(/\r?\n/)
      .flatMap((line) => {
        const [, name, value = ''] = /^([\x21-\x39\x3b-\x7e]+):[ \t]*(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name.toLowerCase(), value.trim()] as const];
      }),
  );
  const text = decoded(content, headers.get('content-transfer-encoding')).toString('utf8');
  const shown = text.replaceAll('\r\n', '\n');
  const isHtml = /^text\/html\b/i.test(headers.get('content-type') ?? '');
  return { headers, body: isHtml ? { text: '', html: shown } : { text: shown, html: '' } };
}

/** Returns the addresses in a header field, without the names of the people. */
export function addressesIn(field = ''): string[] {
  return field
    .split(',')
    .map((one) => (/<([^<>]*)>/.exec(one)?.[1] ?? one).trim())
    .filter(Boolean);
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc2045#section-6 RFC 2045 section 6} */
function decoded(content: string, encoding = ''): Buffer {
  switch (encoding.toLowerCase()) {
    case 'base64':
      return Buffer.from(content, 'base64');
    case 'quoted-printable':
      return Buffer.from(
        content
          .replace(/[ \t]*=\r?\n/g, '')
          .replace(/=([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
        'latin1',
      );
    default:
      return Buffer.from(content, 'latin1');
  }
}
