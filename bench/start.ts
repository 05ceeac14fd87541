import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Access } from '../bin/start/access.ts';
import { launchService, newDirectory } from '../tools/service.ts';
import { median } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';

/** The folder that contains the bundles and the other caches of `npm start`. */
const build = join(resolve(import.meta.dirname, '..'), '.build');

const rounds = 5;

/** Measures the time from `npm start` to the first response, first with neither a build nor data, and then with both. */
export async function measure(): Promise<Table[]> {
  const first: number[] = [];
  const next: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const directory = newDirectory();
    rmSync(build, { recursive: true, force: true });
    first.push(await secondsOf(directory, '0'));
    next.push(await secondsOf(directory, new URL(accessOf(directory).base_url).port));
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

async function secondsOf(directory: string, port: string): Promise<number> {
  const started = performance.now();
  const launch = launchService(directory, {
    command: ['npm', 'start'],
    environment: { PORT: port },
    ownGroup: true,
  });
  await launch.says(/Dog service ready at \S+ /);
  await getDog(accessOf(directory));
  const seconds = (performance.now() - started) / 1000;
  launch.signalGroup('SIGTERM');
  await launch.exited;
  return seconds;
}

async function getDog({ base_url, username, password }: Access): Promise<void> {
  const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${base_url}/v1/dogs/record-sync/`, { headers: { Authorization } });
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
}

function accessOf(directory: string): Access {
  return JSON.parse(readFileSync(join(directory, 'access.json'), 'utf8'));
}
