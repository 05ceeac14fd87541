import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { curlOf, quoted } from '../../console/curl.ts';
import { createDog, get, patchSchedule, postBark } from '../../console/requests.ts';

const base = 'https://abc123defg.execute-api.us-east-1.amazonaws.com/prod';

/** The words that a shell makes of a command, without running it. */
function wordsOf(command: string, environment: Record<string, string> = {}): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  const output = execFileSync('sh', ['-c', script], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

/** What a program can be told: no shell hands on the byte 0, and text is well-formed. */
const argument = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));

test('a quoted text is one word to a shell, and the same text', () => {
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 8 }), (texts) => {
      const command = `printf '%s\\0' ${texts.map(quoted).join(' ')}`;
      const output = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
      expect(output).toBe(`${texts.join('\0')}\0`);
    }),
    { numRuns: 200 },
  );
});

test.each(['', "it's", '$(touch /tmp/x)', '`id`', '!!', '~', '*', 'a\nb', '\\', '"', '#', '-n'])(
  '%j stays what it is',
  (text) => {
    expect(wordsOf(`curl ${quoted(text)}`)).toEqual([text]);
  },
);

test('a command is what the page sends, for any message and any dog', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), argument, (message, dog) => {
      const request = postBark(dog, { resource: 'barks', message: `${message}.`, later: true });
      expect(wordsOf(curlOf(request, base), { AUTH: "jane:it's" })).toEqual([
        '-iu',
        "jane:it's",
        '-X',
        'POST',
        `${base}/v1/dogs/${encodeURIComponent(dog)}/barks`,
        '-H',
        'Accept: application/json',
        '-H',
        'Prefer: respond-async',
        '-H',
        'Content-Type: application/json',
        '--data-raw',
        JSON.stringify({ message: `${message}.` }),
      ]);
    }),
    { numRuns: 100 },
  );
});

test('the password is told only where it is asked for', () => {
  const request = get('/v1/dogs/rex/');
  expect(curlOf(request, base)).toBe(`curl -iu "$AUTH" ${base}/v1/dogs/rex/`);
  expect(wordsOf(curlOf(request, base, 'jane:a$b "c"'))[1]).toBe('jane:a$b "c"');
});

test('a new dog replaces none, and a patch tells when it was sent first', () => {
  expect(createDog('rex', { barkEffects: ['record'] }).headers).toMatchObject({ 'If-None-Match': '*' });
  expect(patchSchedule('rex', { barks: null }, Date.UTC(2026, 0, 1))).toEqual({
    method: 'PATCH',
    path: '/v1/dogs/rex/',
    headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT', 'Content-Type': 'application/json' },
    body: '{"barks":null}',
  });
});
