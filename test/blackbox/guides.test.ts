import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dogServiceClient } from '../../client/index.ts';
import { guideIds, markdownOf } from '../../openapi/page/guides.ts';
import { blocksOf, isGroup, type Language as MarkdownLanguage } from '../../openapi/page/markdown.ts';
import { withOwnValues } from '../../web/docs/own-values.ts';
import type { Language } from '../../web/shared/http/snippets/snippet.ts';
import { installed, runExamples } from '../support/examples.ts';
import { keepSecrets } from '../support/secrets.ts';
import { sharedAccessFile } from '../support/shared-service.ts';
import { firstMissing, printed, type Shown } from '../support/shown-responses.ts';
import { access, testDogs, testWithTokens } from './support.ts';

/** The names of the languages in the guides' Markdown. */
const markdownLanguages: Readonly<Record<Language, MarkdownLanguage>> = {
  curl: 'sh',
  typescript: 'ts',
  python: 'python',
};

/** Returns the examples of a guide in one language. Each is a program that can run without the others. */
function programsOf(id: string, language: Language): string[] {
  const name = markdownLanguages[language];
  return blocksOf(markdownOf(id))
    .filter(isGroup)
    .flatMap(({ code }) => code.get(name) ?? []);
}

/** Returns the responses in a code block of the language `http`. */
function responsesIn(text: string): Shown[] {
  return text.split(/\n+(?=HTTP\/)/).map((response) => {
    const [head = '', ...body] = response.split('\n\n');
    const [first = '', ...fields] = head.split('\n');
    return { status: first.split(' ')[1] ?? '', fields, body: compact(body.join('')) };
  });
}

/** Returns a document without white space, as the service sends it. */
function compact(document: string): string {
  try {
    return JSON.stringify(JSON.parse(document));
  } catch {
    return document; // A shortened document is not JSON. The guide shows it on one line.
  }
}

/** Returns the parts of the output that a guide shows, in order. */
function shownBy(id: string, language: Language): string[] {
  return blocksOf(markdownOf(id)).flatMap((block) => {
    if (block.type !== 'code') return [];
    if (block.lang === 'text') return block.text.split('\n');
    if (block.lang !== 'http') return [];
    return responsesIn(block.text).flatMap((shown) => printed(shown, language));
  });
}

const errorsIn = (text: string) =>
  [...text.matchAll(/(?:HTTP\/[\d.]+ |^)([45]\d\d)\b/gm)].map(([, status]) => status);

const environment = {
  ...process.env,
  PASSWORD: access.password,
  CLIENT_ID: access.client_id,
  CLIENT_SECRET: access.client_secret,
  REFRESH_TOKEN: access.refresh_token,
};

/** The guides whose examples do not need an existing dog. */
const withoutDog: readonly string[] = ['authentication', 'first-bark'];

/** Runs the examples of a guide in one language. Returns how the output differs from the output that the guide shows. */
async function differences(id: string, language: Language): Promise<object> {
  const path = withoutDog.includes(id) ? testDogs.newPath() : await testDogs.newDog();
  const local = (text: string) =>
    withOwnValues(text, access.base_url, access.username)
      .replaceAll('./.local/access.json', resolve(sharedAccessFile()))
      .replace(/\brex\b/g, path.split('/').at(-2) ?? '');
  const output = await runExamples(language, programsOf(id, language).map(local), {
    ...environment,
    ...(id === 'tokens' && { ACCESS_TOKEN: await accessToken() }),
  });
  const missing = firstMissing(shownBy(id, language).map(local), output);
  const expected = errorsIn(markdownOf(id));
  const errors = errorsIn(output);
  return {
    language,
    ...(missing !== undefined && { missing, output }),
    ...(String(errors) !== String(expected) && { errors, expected, output }),
  };
}

async function accessToken(): Promise<string> {
  const { auth_url = '', client_id = '', client_secret = '', refresh_token = '' } = access;
  const body = { grant_type: 'refresh_token', client_id, client_secret, refresh_token } as const;
  const { data } = await dogServiceClient({ baseUrl: auth_url }).POST('/oauth2/v4/token', { body });
  const token = data?.access_token ?? '';
  keepSecrets(token);
  return token;
}

/** Returns the path of a file like the `curlrc` of a local service. */
function curlConfiguration(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'curlrc-')), 'curlrc');
  writeFileSync(file, `user = ${JSON.stringify(`${access.username}:${access.password}`)}\n`);
  return file;
}

(installed.includes('curl') ? test : test.skip)('The commands in README.md print what it shows', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const curlrc = curlConfiguration();
  const dog = (await testDogs.newDog()).split('/').at(-2) ?? '';
  const local = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:3000', access.base_url)
      .replaceAll('.local/curlrc', curlrc)
      .replaceAll('record-sync', dog);
  const blocks = blocksOf(readme);
  // The first blocks install and start the service, and run this test.
  const tried = blocks
    .filter(isGroup)
    .map(({ code }) => code.get('sh') ?? '')
    .filter((code) => !code.startsWith('npm ci'));
  const shown = blocks.flatMap((block) =>
    block.type === 'code' && block.lang === 'http' ? responsesIn(block.text) : [],
  );
  const output = await runExamples('curl', [local(tried.join('\n'))], environment);
  expect([...output.matchAll(/^HTTP\/[\d.]+ (\d+)/gm)].map(([, status]) => status)).toEqual(
    shown.map(({ status }) => status),
  );
  const texts = shown.flatMap((one) => printed(one, 'curl'));
  expect(firstMissing(texts.map(local), output)).toBeUndefined();
  expect(shown.length).toBeGreaterThan(0);
});

for (const id of guideIds)
  (id === 'tokens' ? testWithTokens('the guide about tokens') : test)(
    `The examples of docs/guides/${id}.md print what it shows, in each language`,
    async () => {
      const found = await Promise.all(installed.map((language) => differences(id, language)));
      expect(found).toEqual(installed.map((language) => ({ language })));
    },
  );
