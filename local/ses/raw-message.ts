/** The parts of a message that the inbox shows. */
export interface RawMessage {
  /** The header fields, by name in lower case. Folded lines are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/**
 * Parses a message in the Internet Message Format. Decodes a text in Base64, and shows the source of a message in any other encoding.
 *
 * @returns undefined if the message has no empty line, which separates the header from the body
 * @see {@link https://www.rfc-editor.org/rfc/rfc5322 RFC 5322}
 */
export function parseRawMessage(message: Buffer): RawMessage | undefined {
  const source = message.toString('utf8');
  const [, head, content] = /^(.*?\r?\n)\r?\n(.*)$/s.exec(source) ?? [];
  if (head === undefined || content === undefined) return undefined;
  const fields = head.replace(/\r?\n(?=[ \t])/g, '').matchAll(/^([\x21-\x39\x3b-\x7e]+):[ \t]*(.*)$/gm);
  const headers = new Map(
    [...fields].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()] as const),
  );
  const isBase64 = headers.get('content-transfer-encoding')?.toLowerCase() === 'base64';
  const text = isBase64 ? Buffer.from(content, 'base64').toString('utf8') : content;
  return { headers, text: text.replaceAll('\r\n', '\n') };
}
