import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsEndpoint } from '@rest-actions/local-cloud/parts';
import { InUseError } from '@rest-actions/local-cloud/platform';
import { shortPath } from '../../../bin/start/paths.ts';
import { addServicePage, secondStart } from '../../../bin/start/running-service.ts';

const host = '127.0.0.1';
const directory = mkdtempSync(join(tmpdir(), 'second-'));
const folderInUse = new InUseError('Another service is using DATA_DIR.', 'folder');
const portInUse = new InUseError('The port is already in use.', 'port');
let endpoint: AwsEndpoint;
/** The port of the running service, whose AWS endpoint uses the next one. */
let port: number;

beforeEach(async () => {
  endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  port = Number(new URL(endpoint.url).port) - 1;
  addServicePage({
    baseUrl: `http://${host}:${port}`,
    addPage: (path, page) => endpoint.addPage(path, page),
  });
  writeFileSync(join(directory, 'operator.json'), JSON.stringify({ client: { endpoint: endpoint.url } }));
});

afterEach(() => endpoint.close());
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the lines of the message. In its command, N replaces the port. */
async function linesFor(error: InUseError, options: object = {}, args: string[] = []): Promise<string[]> {
  const { message } = await secondStart(error, { directory, host, port, ...options }, args);
  return message.replace(/-\d+ PORT=\d+/, '-N PORT=N').split('\n');
}

describe('A second start', () => {
  test('names the service that uses its port, and the command for another one', async () => {
    expect(await linesFor(portInUse)).toEqual([
      `The service is already running at http://${host}:${port} (process ${process.pid}).`,
      'To start another one beside it, run:',
      `  DATA_DIR=${shortPath(directory)}-N PORT=N npm start`,
    ]);
  });

  test('repeats its options in the command', async () => {
    const [, , command] = await linesFor(folderInUse, {}, ['--quiet', '-c', 'stage=a b']);
    expect(command).toMatch(/ npm start -- --quiet -c ['"]stage=a b['"]$/);
  });

  test('repeats its host in the command', async () => {
    const [, , command] = await linesFor(folderInUse, { host: '::1' });
    expect(command).toBe(`  HOST=::1 DATA_DIR=${shortPath(directory)}-N PORT=N npm start`);
  });

  test('proposes a free port', async () => {
    const proposed = async () => {
      const { message } = await secondStart(folderInUse, { directory, host, port });
      return Number(/PORT=(\d+)/.exec(message)?.[1]);
    };
    const first = await proposed();
    const other = createServer().listen(first, host);
    await once(other, 'listening');
    expect(await proposed()).toBeGreaterThan(first);
    other.close();
  });

  test.each<[string, InUseError, object]>([
    ['no service has written to its folder', folderInUse, { directory: tmpdir() }],
    ['another program uses its port', portInUse, { port: 1 }],
    ['the service beside its port uses another port', portInUse, { port: 0 }],
  ])('names no service if %s', async (_, error, options) => {
    expect(await secondStart(error, { directory, host, port, ...options }, [])).toBe(error);
  });

  test('names no service if the endpoint of the folder does not respond', async () => {
    endpoint.close();
    expect(await secondStart(folderInUse, { directory, host, port }, [])).toBe(folderInUse);
  });
});
