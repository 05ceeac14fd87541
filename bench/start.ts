import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Access } from '../bin/start/access.ts';
import { launchService, newDirectory } from '../tools/service.ts';
import { median } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';

/** The folder that contains the bundles and the other caches of `npm start`. */
const build = join(resolve(import.meta.dirname, '..'), '.build');

const rounds = 5;

/** Lines that `npm start` prints, in order. */
const words = [
  /Synthesizing the stack/,
  /Creating the first user|Dog service ready/,
  /Dog service ready at \S+ /,
];

/** The seconds from `npm start` to each of these lines, and to the response to the first GET of a dog. */
type Times = readonly number[];

/** Measures the time from `npm start` to the first response, first with neither a build nor data, and then with both. */
export async function measure(): Promise<Table[]> {
  const first: Times[] = [];
  const next: Times[] = [];
  for (let round = 0; round < rounds; round++) {
    const directory = newDirectory();
    rmSync(build, { recursive: true, force: true });
    first.push(await timesOf(directory, '0'));
    next.push(await timesOf(directory, new URL(accessOf(directory).base_url).port));
    rmSync(directory, { recursive: true });
  }
  const row = (name: string, starts: readonly Times[]) => {
    const phases = starts.map((times) => times.map((time, i) => time - (times[i - 1] ?? 0)));
    const seconds = (all: readonly Times[], i: number) =>
      median(all.map((times) => times[i] ?? 0)).toFixed(2);
    return [name, ...[0, 1, 2, 3].map((i) => seconds(phases, i)), seconds(starts, 3)];
  };
  return [
    {
      title: 'Duration of `npm start` in seconds',
      columns: ['', 'npm, Node', 'stack, emulators', 'first user, dogs', 'first response', 'total'],
      rows: [row('first start, without a build', first), row('next start', next)],
    },
  ];
}

async function timesOf(directory: string, port: string): Promise<Times> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  const launch = launchService(directory, {
    command: ['npm', 'start'],
    environment: { PORT: port },
    ownGroup: true,
  });
  const printed = await Promise.all(words.map((word) => launch.says(word).then(elapsed)));
  await getDog(accessOf(directory));
  const times = [...printed, elapsed()];
  launch.signalGroup('SIGTERM');
  await launch.exited;
  return times;
}

async function getDog({ base_url, username, password }: Access): Promise<void> {
  const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${base_url}/v1/dogs/record-sync/`, { headers: { Authorization } });
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
}

function accessOf(directory: string): Access {
  return JSON.parse(readFileSync(join(directory, 'access.json'), 'utf8'));
}
