import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { proofOf, proofPath } from '@rest-actions/local-cloud/platform';
import { consoleSection } from '../../../bin/cli/tree/console.ts';
import { mockClient } from '../../support/mock-client.ts';
import { describedStack, stackOutputs } from '../../support/stack-outputs.ts';
import { commandRunner, namesOf } from './runner.ts';

const stack = 'DogService-test';
const cloudFormation = mockClient(CloudFormationClient);
const endpoint = 'http://127.0.0.1:3001';
const directory = mkdtempSync(join(tmpdir(), 'dogs-'));
const nonce = 'secret';

/** The response to a request for a new link. */
let answer: () => Promise<Response>;

function write(name: string, content: object): void {
  writeFileSync(join(directory, name), JSON.stringify(content));
}

beforeEach(() => {
  // No test opens a browser.
  Object.assign(process.env, { DATA_DIR: directory, DOGS_URL: '', DOGS_STACK: '', PATH: '' });
  write('operator.json', { nonce, client: { endpoint } });
  write('access.json', { base_url: 'http://127.0.0.1:3000', username: 'jane', password: 'x' });
  write('paths.json', { 'sign-in': '/secret-path' });
  answer = async () => new Response(`${endpoint}/sign-in/once`);
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const url = String(input);
    if (url.startsWith(`${endpoint}${proofPath}`))
      return new Response(proofOf(nonce, url.split('/').at(-1) ?? ''));
    expect(url).toBe(`${endpoint}/secret-path`);
    return answer();
  });
});

afterAll(() => rmSync(directory, { recursive: true }));

const { ran, dogs, json, failure } = commandRunner();

test('a deployed console is opened at its URL', async () => {
  const outputs = { ...stackOutputs(), BaseUrl: 'https://deployed.example/prod/' };
  cloudFormation.on(DescribeStacksCommand, { StackName: stack }).resolves(describedStack(outputs));
  expect(await json(`open --stack ${stack}`)).toEqual({ url: 'https://deployed.example/prod/' });
  expect(await json('open --url https://dogs.example/')).toEqual({ url: 'https://dogs.example/' });
});

describe('the service on this machine', () => {
  test('has a sign-in link, which open passes to the browser in a file', async () => {
    const url = `${endpoint}/sign-in/once`;
    expect(await json('sign-in')).toEqual({ url });
    expect((await dogs('open')).stdout).toBe(`Opening ${url} (works once)\n`);
    const page = join(directory, 'sign-in.html');
    expect([readFileSync(page, 'utf8').includes(url), statSync(page).mode & 0o077]).toEqual([true, 0]);
  });

  test('has no sign-in link if it does not respond', async () => {
    answer = () => Promise.reject(new TypeError('fetch failed'));
    expect(await failure('sign-in')).toMatch(/^1: The service on this machine does not respond\. /);
  });

  test.each(['\x1b[2J\xff', 'null', '5'])(
    'is named in one sentence if its file paths.json contains %j',
    async (content) => {
      writeFileSync(join(directory, 'paths.json'), content, 'latin1');
      expect(await failure('sign-in')).toMatch(
        /^1: .*paths\.json is missing or damaged\. Restart the service with npm start\.$/,
      );
    },
  );
});

test('the tests of this file run every command of the console', () => {
  expect([...ran].sort()).toEqual(namesOf(consoleSection).sort());
});
