import PostalMime from 'postal-mime';
import { mimeMessage } from '../../../../lambdas/domain/platform/mime.ts';

const mail = { from: 'dogs@example.com', to: ['rex@example.com'], subject: 'rex barked', text: '', html: '' };

describe('mimeMessage', () => {
  test.each([
    ['an empty text', ''],
    ['non-ASCII characters', 'Wau 🐕 – “größer”\r\n'],
    ['long lines', `${'woof '.repeat(500)}\r\n`],
    ['a line that looks like the end of SMTP data', 'a\r\n.\r\nb\r\n'],
    ['a line that looks like a boundary', '--part\r\n\r\n--part--\r\n'],
  ])('keeps %s in both parts', async (_, text) => {
    const html = `<pre>${text}</pre>`;
    const source = mimeMessage({ ...mail, text, html });
    const parsed = await PostalMime.parse(source);
    expect([parsed.text ?? '', parsed.html]).toEqual([text, html]);
    expect(Math.max(...source.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
    expect(source).toMatch(/^[\r\n\x20-\x7e]*$/);
  });

  test('has the text before the HTML, which mail programs prefer', () => {
    const source = mimeMessage({ ...mail, text: 'a', html: 'b' });
    expect(source.slice(source.indexOf('MIME-Version')).split('\r\n')).toEqual([
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=part',
      '',
      '--part',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      'YQ==',
      '--part',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      'Yg==',
      '--part--',
      '',
    ]);
  });

  test('ends each line of the text with CRLF, whatever the client sent', async () => {
    const { text } = await PostalMime.parse(mimeMessage({ ...mail, text: 'a\nb\r\nc\rd' }));
    expect(text).toBe('a\r\nb\r\nc\r\nd');
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
