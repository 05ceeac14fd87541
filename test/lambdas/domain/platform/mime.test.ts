import { mimeMessage } from '../../../../lambdas/domain/platform/mime.ts';
import { parseRawMessage } from '../../../../local/ses/raw-message.ts';

const mail = { from: 'dogs@example.com', to: ['rex@example.com'], subject: 'rex barked', text: '' };

describe('mimeMessage', () => {
  test.each([
    ['an empty text', ''],
    ['non-ASCII characters', 'Wau 🐕 – “größer”\n'],
    ['long lines', `${'woof '.repeat(500)}\n`],
    ['a line that looks like the end of SMTP data', 'a\n.\nb\n'],
  ])('keeps %s', (_, text) => {
    const source = mimeMessage({ ...mail, text });
    expect(parseRawMessage(Buffer.from(source))?.text).toBe(text);
    expect(Math.max(...source.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
    expect(source).toMatch(/^[\r\n\x20-\x7e]*$/);
  });

  test('ends each line of the text with CRLF, whatever the client sent', () => {
    const [, body = ''] = mimeMessage({ ...mail, text: 'a\nb\r\nc\rd' }).split('\r\n\r\n');
    expect(Buffer.from(body, 'base64').toString()).toBe('a\r\nb\r\nc\r\nd');
  });

  test('folds the recipients and adds the header fields', () => {
    const source = mimeMessage({
      ...mail,
      to: ['a@example.com', 'b@example.com'],
      headers: { 'X-Dog': 'rex' },
    });
    expect(source).toContain('To: a@example.com,\r\n b@example.com\r\nSubject: rex barked\r\nX-Dog: rex\r\n');
  });
});
