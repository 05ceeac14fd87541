import { readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type Access, startService } from '../../tools/service.ts';
import type { Table } from '../../tools/table.ts';
import { median, ratio } from './statistics.ts';

const rounds = 5;
const seconds = 2;
const concurrency = 10;

/** Enough dogs that no two concurrent requests change the same one. */
const dogs = Array.from({ length: 200 }, (_, i) => `dog-${i}`);

/** If set, the access file of another emulator that runs the same stack. The benchmark then measures that emulator too. */
const peerFile = process.env.BENCH_PEER_ACCESS;

const routes = [
  { name: 'GET of a dog', method: 'GET', path: '/', status: 200 },
  { name: 'POST to `barks`, recorded', method: 'POST', path: '/barks', status: 201 },
];

/** Measures the routes in turn, so that other load on the machine affects all of them equally. */
export async function measure(): Promise<Table[]> {
  const service = await startService();
  try {
    const peers: Access[] = peerFile ? [JSON.parse(readFileSync(peerFile, 'utf8'))] : [];
    const targets = [service.access, ...peers];
    for (const target of targets) await putDogs(target);
    const runs = routes.flatMap((route) =>
      targets.map((target) => ({ route, target, rates: [] as number[] })),
    );
    for (let round = 0; round <= rounds; round++)
      for (const { route, target, rates } of runs) {
        const rate = await rateOf(target, route, target !== service.access);
        // The first round is a warm-up.
        if (round > 0) rates.push(rate);
      }
    const rateIn = (target: Access | undefined, route: object) =>
      median(runs.find((run) => run.target === target && run.route === route)?.rates ?? []);
    const [peer] = peers;
    return [
      {
        title: `Requests per second over ${concurrency} connections, as medians of ${rounds} rounds`,
        columns: ['', 'per second', ...(peer ? ['peer', '÷ peer'] : [])],
        rows: routes.map((route) => {
          const [own, other] = [rateIn(service.access, route), rateIn(peer, route)];
          return [route.name, Math.round(own), ...(peer ? [Math.round(other), ratio(own, other)] : [])];
        }),
      },
    ];
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true });
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
let turns = 0;

/** Counts the responses with the expected status. @throws Error for another status, unless the target is a peer */
async function rateOf(
  target: Access,
  { method, path, status }: (typeof routes)[number],
  isPeer: boolean,
): Promise<number> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let done = 0;
  const lane = async () => {
    while (elapsed() < seconds) {
      const found = await send(target, method, `${dogs[turns++ % dogs.length]}${path}`);
      if (found === status) done++;
      else if (!isPeer) throw new Error(`${method} returned ${found}.`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return done / elapsed();
}

function send({ base_url, username, password }: Access, method: string, path: string, body?: string) {
  return new Promise<number | undefined>((resolve, reject) => {
    const auth = `${username}:${password}`;
    const headers = { 'Content-Type': 'application/json' };
    request(`${base_url}/v1/dogs/${path}`, { agent, auth, method, ...(body && { headers }) }, (response) =>
      response.resume().once('end', () => resolve(response.statusCode)),
    )
      .once('error', reject)
      .end(body);
  });
}

async function putDogs(target: Access): Promise<void> {
  const body = JSON.stringify({ barkEffects: ['record'], barkHandling: 'sync' });
  for (const dog of dogs) {
    const status = await send(target, 'PUT', `${dog}/`, body);
    if (status !== 201 && status !== 204) throw new Error(`PUT of ${dog} returned ${status}.`);
  }
}
