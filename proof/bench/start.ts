import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { newDirectory, startService } from '../../tools/service.ts';
import type { Table } from '../../tools/table.ts';
import { median } from './statistics.ts';

/** The folder that contains the bundles and the other caches of `npm start`. */
const build = resolve(import.meta.dirname, '../../.build');

const rounds = 5;

/** Measures the time from `npm start` to the first response, first with neither a build nor data, and then with both. */
export async function measure(): Promise<Table[]> {
  const first: number[] = [];
  const next: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const directory = newDirectory();
    rmSync(build, { recursive: true, force: true });
    const { seconds, port } = await start(directory, '0');
    first.push(seconds);
    next.push((await start(directory, port)).seconds);
    rmSync(directory, { recursive: true });
  }
  return [
    {
      title: 'Seconds from `npm start` to the response to the first GET of a dog',
      columns: ['', 'seconds'],
      rows: [
        ['first start, without a build', median(first).toFixed(2)],
        ['next start', median(next).toFixed(2)],
      ],
    },
  ];
}

/** Starts the service, reads a dog, and stops the service. With another port, a start would also have to move the credential. */
async function start(directory: string, PORT: string): Promise<{ seconds: number; port: string }> {
  const started = performance.now();
  const { access, signalGroup, exited } = await startService(directory, {
    command: ['npm', 'start'],
    environment: { PORT },
    ownGroup: true,
  });
  const Authorization = `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`;
  const response = await fetch(`${access.base_url}/v1/dogs/record-sync/`, { headers: { Authorization } });
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
  const seconds = (performance.now() - started) / 1000;
  signalGroup('SIGTERM');
  await exited;
  return { seconds, port: new URL(access.base_url).port };
}
