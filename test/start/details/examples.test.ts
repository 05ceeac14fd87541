import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
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

async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => respond(request, response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('the clients send their credentials only to the service, even if it sends them elsewhere by', () => {
  /** The requests to another server. */
  let strayed: IncomingMessage[];
  let other: Server;

  beforeAll(async () => {
    other = await serve((request, response) => {
      strayed.push(request);
      response.setHeader('Content-Type', 'application/json').end('{"status":"complete"}');
    });
  });

  afterAll(() => void other.close());

  const attacks = {
    Location: (own: string) => ({ location: `${urlOf(other)}/barks/a01`, redirect: `${own}/v1/dogs/rex/` }),
    'a redirect': () => ({ redirect: `${urlOf(other)}/v1/dogs/rex/` }),
  };

  for (const [attack, targetsOf] of Object.entries<(own: string) => { location?: string; redirect: string }>(
    attacks,
  ))
    for (const [program, ...parameters] of commands)
      testWith(program === 'sh' ? 'curl' : program)(
        `${attack}: ${program} ${parameters.join(' ')}`,
        async () => {
          strayed = [];
          // The parsers of TypeScript and Python refuse this text.
          const status = program === 'sh' ? '\u001b]0;title' : 'complete';
          const server = await serve(({ method, url = '' }, response) => {
            const { location = `${urlOf(server)}${url}/a01`, redirect } = targetsOf(urlOf(server));
            response.setHeader('Content-Type', 'application/json');
            if (method === 'DELETE') response.writeHead(204).end();
            else if (url.endsWith('/a01')) response.writeHead(303, { Location: redirect }).end('{}');
            else response.writeHead(201, { Location: location }).end(`{"id":"s01","status":"${status}"}`);
          });
          const directory = mkdtempSync(join(tmpdir(), 'examples-'));
          const access = { ...service.access, base_url: urlOf(server), auth_url: urlOf(server) };
          writeFileSync(join(directory, 'access.json'), JSON.stringify(access));
          writeFileSync(join(directory, 'curlrc'), `user = "${access.username}:${access.password}"\n`);
          const { stdout, stderr } = await run(program, parameters, {
            ACCESS_FILE: join(directory, 'access.json'),
          });
          expect(strayed.map(({ headers }) => headers.authorization).filter(Boolean)).toEqual([]);
          if (program === 'sh') expect(stdout + stderr).not.toContain('\u001b');
          server.close();
          rmSync(directory, { recursive: true });
        },
      );
});
