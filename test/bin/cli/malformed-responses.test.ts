import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StandInServer } from '../../support/stand-in-server.ts';
import { commandRunner } from './runner.ts';

const { dogs, failure } = commandRunner();

/** A server that is no dog service, or a broken one. */
let server: Server;
let baseUrl: string;
let respond: (response: ServerResponse) => void;
let paths: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume().once('end', () => respond(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  paths = [];
  Object.assign(process.env, { DOGS_URL: baseUrl, DOGS_USER: 'jane', DOGS_PASSWORD: 'secret' });
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json = { 'Content-Type': 'application/json' };

const sends =
  (body: string, status = 200, fields: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { ...json, ...fields }).end(body);

const commands = [
  'list',
  'get rex',
  'update rex --bark-handling sync',
  'barks list rex',
  'barks get rex',
  'barks get rex a01',
  'barks get rex a01 --wait',
  'bark rex',
  'bark rex --async --wait',
  'schedule get rex',
  'schedule set rex',
];

const foreign =
  /^The response( from http:\/\/127\.0\.0\.1:\d+)? with the status \d+ did not come from a dog service: it [\w ]+\. Check the URL, including the stage if it has one\.$/;
const incomplete =
  /^The response from http:\/\/127\.0\.0\.1:\d+ is incomplete \([A-Z_]+\)\. The service may have processed the request\. Check the network\.$/;
const unreachable =
  /^The service at http:\/\/127\.0\.0\.1:\d+ cannot be reached \(.+\)\. Check that it is running, and that the URL is right\.$/;

describe('every command fails with one sentence and its remedy if the response', () => {
  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['has no body', sends(''), foreign],
    ['is null', sends('null'), foreign],
    ['is a string', sends('"rex"'), foreign],
    ['is a number', sends('5'), foreign],
    ['is a list', sends('[]'), foreign],
    ['is an object without members', sends('{}'), foreign],
    ['is cut off', sends('{"dogs":['), foreign],
    ['is HTML with a JSON type', sends('<html></html>'), foreign],
    ['is HTML', sends('<html>Sign in to the Wi-Fi</html>', 200, { 'Content-Type': 'text/html' }), foreign],
    ['has members of other types', sends('{"dogs":1,"barks":{},"id":2,"timestamp":"x","next":"y"}'), foreign],
    ['contains lists of other things', sends('{"dogs":[null],"barks":["x"],"timestamp":[]}'), foreign],
    ['is nested too deeply', sends(`{"id":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), foreign],
    ['is a 204', (response) => void response.writeHead(204).end(), foreign],
    ['is a 304', (response) => void response.writeHead(304).end(), foreign],
    ['has an unknown status', sends('{}', 799), foreign],
    ['is a redirect', sends('', 302, { Location: 'http://127.0.0.1/' }), foreign],
    ['is a redirect with a body', sends('{}', 302, { Location: 'http://127.0.0.1/' }), foreign],
    ['is a 303 with null', sends('null', 303, { Location: 'http://127.0.0.1/' }), foreign],
    ['is a 303 without a bark', sends('{}', 303, { Location: 'http://127.0.0.1/' }), foreign],
    ['is a 202 without a location', sends('{}', 202), foreign],
    ['is a 202 with another location', sends('{}', 202, { Location: 'http://127.0.0.1/..' }), foreign],
    ['is an error without a body', sends('', 404), foreign],
    ['is an error with null', sends('null', 404), foreign],
    ['is an error with a list', sends('[]', 404), foreign],
    ['is an error that no dog service sends', sends('{"message":"Forbidden"}', 403), foreign],
    ['is a problem with members of other types', sends('{"title":1,"type":2}', 422), foreign],
    ['is a problem with other errors', sends('{"title":"No","errors":[null]}', 422), foreign],
    ['is a problem with another instance', sends('{"title":"No","instance":5}', 500), foreign],
    [
      'ends too early',
      (response) => {
        response.writeHead(200, { ...json, 'Content-Length': 100 });
        response.write('{"dogs":[', () => response.destroy());
      },
      incomplete,
    ],
    ['is not what its encoding says', sends('{}', 200, { 'Content-Encoding': 'gzip' }), incomplete],
    ['is a reset connection', (response) => void response.socket?.resetAndDestroy(), unreachable],
    ['is not HTTP', (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'), unreachable],
  ])('%s', async (_, response, message) => {
    respond = response;
    for (const command of commands) {
      const { code, stdout, stderr } = await dogs(command);
      expect({ command, code, stdout, stderr: stderr.trimEnd() }).toEqual({
        command,
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(message),
      });
    }
  });

  test('is longer than any of a dog service', async () => {
    respond = sends(`{"dogs":"${'x'.repeat(20_000_000)}"}`);
    expect(await failure('list')).toMatch(/it has more than 20 MB\. Check the URL/);
  });

  test('never comes', async () => {
    const timeout = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
    respond = () => timeout.abort(new DOMException('', 'TimeoutError'));
    expect(await failure('list')).toMatch(
      /^1: The service at .* cannot be reached \(TimeoutError\)\. Check that/,
    );
  });

  test('never ends', async () => {
    const timeout = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
    respond = (response) => {
      response.writeHead(200, json);
      response.write('{', () => timeout.abort(new DOMException('', 'TimeoutError')));
    };
    expect(await failure('list')).toMatch(/^1: The (service|response) .* \(TimeoutError\)\. /);
  });

  test('comes from a server with another certificate', async () => {
    const other = new StandInServer('https', '{"dogs":[]}');
    await other.start();
    process.env.DOGS_URL = other.url;
    expect(await failure('list')).toMatch(/^1: The service at https:.* \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. /);
    other.stop();
  });
});

describe('a list', () => {
  const page = (link: string) => sends('{"dogs":[],"barks":[]}', 200, { Link: link });

  test.each([
    ['no URL', '<::::>; rel="next"'],
    ['an empty URL', '<>; rel="next"'],
    ['a URL without a cursor', '</v1/dogs?limit=100>; rel="next"'],
    ['a URL with an empty cursor', '</v1/dogs?after=>; rel="next"'],
  ])('fails if the link to its next page contains %s', async (_, link) => {
    respond = page(link);
    for (const command of ['list', 'barks list rex'])
      expect(await failure(command)).toMatch(/^1: .*it has an invalid link to the next page\. Check the URL/);
  });

  test('fails if a page links to itself, after one more request', async () => {
    respond = page('</v1/dogs?after=rex>; rel="next"');
    for (const command of ['list', 'barks list rex']) {
      paths = [];
      expect(await failure(command)).toMatch(/^1: .*it belongs to a list without an end\. Check the URL/);
      expect(paths).toHaveLength(2);
    }
  });

  test('fails if each of its pages is empty and links to another one', async () => {
    let pages = 0;
    // Thousands of requests over the network would take too long.
    const network = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      const Link = `</v1/dogs?after=${pages++}>; rel="next"`;
      return Response.json({ dogs: [] }, { headers: { Link } });
    });
    expect(await failure('list --limit 1')).toMatch(/^1: .*it belongs to a list without an end\. /);
    network.mockRestore();
  });

  test('is read from the same service, even if its link names another one', async () => {
    respond = (response) => {
      const isLast = paths.length > 1;
      const link = isLast ? {} : { Link: '<https://dogs.example/v1/dogs?after=rex>; rel="next"' };
      sends('{"dogs":[]}', 200, link)(response);
    };
    expect((await dogs('list')).code).toBe(0);
    expect(paths).toEqual(['/v1/dogs?limit=100', '/v1/dogs?limit=100&after=rex']);
  });
});

test('a Retry-After that is not a number of seconds is not shown', async () => {
  respond = sends('{"title":"Busy"}', 503, { 'Retry-After': 'soon' });
  expect(await failure('list')).toBe('1: Busy.');
});
