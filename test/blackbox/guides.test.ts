import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { guideIds, markdownOf } from '../../openapi/page/guides.ts';
import { blocksOf, type CodeGroup, isGroup, type Language } from '../../openapi/page/markdown.ts';
import { sharedAccessFile } from '../support/shared-service.ts';
import { access, testDogs, testWithTokens } from './support.ts';

/** The program that runs the examples in a language, and its parameters before the code. */
const commands: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  sh: ['bash', '-euo', 'pipefail', '-c'],
  ts: [process.execPath, '--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e'],
  python: ['python3', '-c'],
};

const installed = (Object.keys(commands) as Language[]).filter((language) => {
  const [program] = commands[language];
  const isInstalled = [program, ...(language === 'sh' ? ['curl'] : [])].every(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (!isInstalled) console.log(`skipped: the guides in ${language}, because ${program} is not installed`);
  return isInstalled;
});

/** The groups that the examples of other guides build on. */
const [definitions] = blocksOf(markdownOf('authentication'))
  .filter(isGroup)
  .filter(({ code }) => code.size > 1);
const [creation] = blocksOf(markdownOf('first-bark')).filter(isGroup);

/** Returns the code that runs before the examples of a guide. */
function before(id: string): (CodeGroup | undefined)[] {
  if (id === 'authentication') return [];
  return id === 'first-bark' ? [definitions] : [definitions, creation];
}

/** Returns all examples of a guide in one language, as one program. */
function programOf(id: string, language: Language): string {
  const groups = [...before(id), ...blocksOf(markdownOf(id)).filter(isGroup)];
  return groups.map((group) => group?.code.get(language) ?? '').join('\n');
}

/** A response that a guide shows. */
interface Shown {
  readonly status: string;
  readonly fields: readonly string[];
  readonly body: string;
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
    return responsesIn(block.text).flatMap(({ status, fields, body }) =>
      language === 'sh' ? [` ${status} `, ...fields, body].filter(Boolean) : [`${status} ${body}`.trim()],
    );
  });
}

/** Returns the pattern of a text in which `…` replaces a part, and times and lifetimes have other digits. */
function patternOf(shown: string): RegExp {
  const escaped = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(escaped.replaceAll('…', '.*?').replace(/\b\d{4,}\b/g, '\\d+'), 'gi');
}

/** Returns the first text that the output does not contain after the texts before it, or undefined if it contains all. */
function firstMissing(texts: readonly string[], output: string): string | undefined {
  let position = 0;
  return texts.find((text) => {
    const pattern = patternOf(text);
    pattern.lastIndex = position;
    const isFound = pattern.test(output);
    position = pattern.lastIndex;
    return !isFound;
  });
}

/** Returns the error statuses in an output or in a guide, in order. */
const errorsIn = (text: string) =>
  [...text.matchAll(/(?:HTTP\/[\d.]+ |^)([45]\d\d)\b/gm)].map(([, status]) => status);

/** Runs the examples of a guide in one language. Returns how the output differs from the output that the guide shows. */
async function differences(id: string, language: Language): Promise<object> {
  const dog = testDogs.newPath().split('/').at(-2) ?? '';
  const local = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:3000', access.base_url)
      .replaceAll('./.local/access.json', resolve(sharedAccessFile()))
      .replace(/\brex\b/g, dog);
  const [program, ...parameters] = commands[language];
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    BASE_URL: access.base_url,
    USER_NAME: access.username,
    PASSWORD: access.password,
    AUTH_URL: access.auth_url,
    CLIENT_ID: access.client_id,
    CLIENT_SECRET: access.client_secret,
    REFRESH_TOKEN: access.refresh_token,
  };
  const { stdout } = await promisify(execFile)(program, [...parameters, local(programOf(id, language))], {
    env,
  });
  const missing = firstMissing(shownBy(id, language).map(local), stdout);
  const expected = errorsIn(markdownOf(id));
  const errors = errorsIn(stdout);
  return {
    language,
    ...(missing !== undefined && { missing, stdout }),
    ...(String(errors) !== String(expected) && { errors, expected, stdout }),
  };
}

(installed.includes('sh') ? test : test.skip)('The commands in README.md work in each variant', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, commandsOfReadme = ''] = /^```sh\n(DOG=.*?)^```$/ms.exec(readme) ?? [];
  const curlrc = join(dirname(resolve(sharedAccessFile())), 'curlrc');
  const dog = (await testDogs.newDog()).split('/').at(-2) ?? '';
  const local = commandsOfReadme
    .replaceAll('http://127.0.0.1:3000', access.base_url)
    .replaceAll('.local/curlrc', curlrc)
    .replaceAll('record-sync', dog);
  const [program, ...parameters] = commands.sh;
  const { stdout } = await promisify(execFile)(program, [...parameters, local]);
  expect([...stdout.matchAll(/^HTTP\/[\d.]+ (\d+)/gm)].map(([, status]) => status)).toEqual([
    '201',
    '205',
    '205',
    '200',
  ]);
});

for (const id of guideIds)
  (id === 'tokens' ? testWithTokens('the guide about tokens') : test)(
    `The examples of docs/guides/${id}.md print what it shows, in each language`,
    async () => {
      const found = await Promise.all(installed.map((language) => differences(id, language)));
      expect(found).toEqual(installed.map((language) => ({ language })));
    },
  );
