import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { curlOf, quoted } from '../../web/shared/http/curl.ts';
import { createDog, get, patchSchedule, postBark } from '../../web/shared/http/requests.ts';

const base = 'https://abc123defg.execute-api.us-east-1.amazonaws.com/prod';

/** Returns the words into which a shell splits a command. Does not run the command. */
function wordsOf(command: string, environment: Record<string, string> = {}): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  const output = execFileSync('sh', ['-c', script], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

/** An argument that a shell can pass to a program: well-formed text without the byte 0. */
const argument = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));

test('quoted() returns a text that a shell reads as one word with the original text', () => {
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
  'quoted() preserves %j',
  (text) => {
    expect(wordsOf(`curl ${quoted(text)}`)).toEqual([text]);
  },
);

test('curlOf() returns the request of the page, for each message and dog', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), argument, (message, dog) => {
      const request = postBark(dog, { resource: 'barks', message: `${message}.`, async: true });
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

test('curlOf() contains the password only if the caller passes it', () => {
  const request = get('/v1/dogs/rex/');
  expect(curlOf(request, base)).toBe(`curl -iu "$AUTH" ${base}/v1/dogs/rex/`);
  expect(wordsOf(curlOf(request, base, { user: 'jane', password: 'a$b "c"' }))[1]).toBe('jane:a$b "c"');
});

test('curlOf() sends the access token of a sign-in link', () => {
  const request = get('/v1/dogs/rex/');
  expect(curlOf(request, base, { user: 'jane', accessToken: 'a.b.c' })).toBe(
    `curl -i --oauth2-bearer a.b.c ${base}/v1/dogs/rex/`,
  );
});

test('createDog() sends If-None-Match, and patchSchedule() sends the time of the first attempt', () => {
  expect(createDog('rex', { barkEffects: ['record'] }).headers).toMatchObject({ 'If-None-Match': '*' });
  expect(patchSchedule('rex', { barks: null }, Date.UTC(2026, 0, 1))).toEqual({
    method: 'PATCH',
    path: '/v1/dogs/rex/',
    headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT', 'Content-Type': 'application/json' },
    body: '{"barks":null}',
  });
});
