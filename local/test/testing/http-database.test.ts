import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../testing/eventually.ts';
import { HttpDatabase } from '../../testing/http-database.ts';
import { processesWith } from '../../testing/local-processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'databases-'));
const file = join(directory, 'dynamodb.sqlite');
const servers = () => processesWith(`--db-path ${file}`);

afterAll(() => rmSync(directory, { recursive: true }));

test('stop ends the server', async () => {
  const server = new HttpDatabase(file);
  await server.start();
  expect(servers()).not.toEqual([]);
  await server.stop();
  await eventually(async () => expect(servers()).toEqual([]));
});

test('a server that cannot start rejects with its output', async () => {
  const server = new HttpDatabase(join(directory, 'absent/dynamodb.sqlite'));
  await expect(server.start()).rejects.toThrow('absent');
});

// Only a shell can end the server.
const onPosix = process.platform === 'win32' ? test.skip : test;
onPosix('a server ends after kill -9 of the process that has started it', async () => {
  const module = join(import.meta.dirname, '../../testing/http-database.ts');
  const script = `
    import { pathToFileURL } from 'node:url';
    const { HttpDatabase } = await import(pathToFileURL(process.argv[1]).href);
    await new HttpDatabase(process.argv[2]).start();
    console.log('started');`;
  const parameters = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, [...parameters, module, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const started = servers();
  child.kill('SIGKILL');
  expect(started).not.toEqual([]);
  await eventually(async () => expect(servers()).toEqual([]));
});
