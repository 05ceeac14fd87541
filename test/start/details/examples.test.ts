import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dogServiceClient } from '../../../client/index.ts';
import { skipTime } from '../../support/time.ts';
import { type Result, run, service, useService } from '../support.ts';

const examples = resolve(import.meta.dirname, '../../../examples');

/** The output of a client, from the documentation. */
const [, expected] = /^```\n(.*?)^```$/ms.exec(readFileSync(join(examples, 'README.md'), 'utf8')) ?? [];

const commands = [
  ['npm', 'run', '--silent', 'example'],
  ['python3', 'examples/client.py'],
  ['sh', 'examples/client.sh'],
] as const;

useService({ clockOffsetMs: 0 });

/** Returns the function that defines a test of a client. It skips the test and logs this if a program is not installed. */
function testWith(...programs: readonly string[]): typeof test | typeof test.skip {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).status !== 0);
  if (missing.length === 0) return test;
  console.log(`skipped: an example, because there is no ${missing.join(' and no ')}`);
  return test.skip;
}

async function dogIds(): Promise<string[]> {
  const { base_url: baseUrl, username, password } = service.access;
  const client = dogServiceClient({ baseUrl, credentials: { username, password } });
  const { data } = await client.GET('/v1/dogs', { params: { query: { limit: 100 } } });
  return (data?.dogs ?? []).map(({ id }) => id);
}

/** The clock of the service runs about ten times as fast, so an asynchronous bark is complete at the first poll. */
async function runFast(program: string, parameters: readonly string[]): Promise<Result> {
  const timer = setInterval(() => void skipTime(service.access, 1), 100);
  const environment = { ACCESS_FILE: join(service.directory, 'access.json') };
  return run(program, parameters, environment).finally(() => clearInterval(timer));
}

for (const [program, ...parameters] of commands)
  testWith(program === 'sh' ? 'curl' : program)(
    `${program} ${parameters.join(' ')} prints what its documentation shows, and deletes its dog`,
    async () => {
      const dogs = await dogIds();
      const { code, stdout } = await runFast(program, parameters);
      expect(stdout).toBe(expected);
      expect(code).toBe(0);
      expect(await dogIds()).toEqual(dogs);
    },
  );
