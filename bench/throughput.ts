import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import autocannon, { type Instance, type Request } from 'autocannon';
import { type Access, type Service, startService } from '../tools/service.ts';
import { median } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';
import type { Question } from './throughput-baselines.ts';
import { inTurns, type Subject } from './turns.ts';

const rounds = 5;

const concurrency = 10;

/** Enough dogs that no two concurrent requests change the same one. */
const dogs = Array.from({ length: 200 }, (_, i) => `dog-${i}`);

/** If set, the access file of another emulator that runs the same stack. The benchmark then measures that emulator too. */
const peerFile = process.env.BENCH_PEER_ACCESS;

export async function measure(): Promise<Table[]> {
  const service = await startService();
  const baselines = await startBaselines(service);
  try {
    const subjects = {
      ...(await requestsOf(service.access)),
      ...(await baselinesOf(service, baselines.ask)),
      ...(peerFile && (await peerRequests(peerFile))),
    };
    return [tableOf(await inTurns(subjects, { warmUp: 2, rounds, seconds: 2 }))];
  } finally {
    baselines.end();
    await service.stop();
    rmSync(service.directory, { recursive: true });
  }
}

type Name = 'bare' | 'reads' | 'bark' | 'get' | 'post' | 'patch' | 'token';
type Rates = Record<Name, readonly number[]> & Partial<Record<'peerGet' | 'peerPost', readonly number[]>>;

function tableOf({ bare, reads, bark, get, post, patch, token, peerGet, peerPost }: Rates): Table {
  const ratiosOf = (rates: readonly number[], others: readonly number[] = []) => {
    const ratios = others.map((rate, round) => (rates[round] ?? 0) / rate);
    const spread = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
    return ratios.length > 0 ? [median(ratios).toFixed(2), spread.join(' to ')] : ['', ''];
  };
  const row = (
    name: string,
    rates: readonly number[],
    alone?: readonly number[],
    peer?: readonly number[],
  ) => [
    name,
    Math.round(median(rates)),
    ...ratiosOf(rates, alone),
    ...(peerFile ? ratiosOf(rates, peer) : []),
  ];
  return {
    title: `Requests per second over ${concurrency} connections, as medians of ${rounds} rounds`,
    columns: [
      ['', 'per second', '÷ SDK alone', 'lowest to highest'],
      peerFile ? ['÷ peer', 'lowest to highest'] : [],
    ].flat(),
    rows: [
      row('GET of a dog', get, reads, peerGet),
      row('the same two reads, with only the SDK', reads),
      row('POST to `barks`, recorded', post, bark, peerPost),
      row('the same read and transaction, with only the SDK', bark),
      row('PATCH with a new schedule', patch, bark),
      row('POST of a refresh token', token),
      row('a bare `node:http` server that returns the response to GET', bare),
      ...(peerGet ? [row('GET of a dog, peer', peerGet, reads)] : []),
      ...(peerPost ? [row('POST to `barks`, recorded, peer', peerPost, bark)] : []),
    ],
    documented: ([name]) => !/^PATCH|token|peer$/.test(String(name)),
  };
}

/** Creates the dogs, and returns the subjects that send requests to the service. */
async function requestsOf(access: Access, { isPeer = false } = {}) {
  const shoot = (status: number, request: (turn: number) => Request) =>
    shooter(access.base_url, status, request, isPeer);
  const { base_url, client_id = '', client_secret = '', refresh_token = '' } = access;
  const headers = authorizationOf(access);
  const form = { grant_type: 'refresh_token', client_id, client_secret, refresh_token };
  const nextYear = Math.floor(Date.now() / 1000) + 365 * 24 * 60 * 60;
  await putDogs(base_url, headers);
  return {
    get: shoot(200, (turn) => ({ path: `/v1/dogs/${dogAt(turn)}/`, headers })),
    post: shoot(201, (turn) => ({
      method: 'POST',
      path: `/v1/dogs/${dogAt(turn)}/barks`,
      headers,
    })),
    patch: shoot(205, (turn) => ({
      method: 'PATCH',
      path: `/v1/dogs/${dogAt(turn)}/`,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'If-Unmodified-Since': new Date().toUTCString(),
      },
      body: JSON.stringify({ barks: { next: nextYear + turn, frequency: 10 } }),
    })),
    token: shoot(200, () => ({
      method: 'POST',
      path: '/oauth2/v4/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })),
  };
}

async function baselinesOf(
  { access }: Service,
  ask: Ask,
): Promise<Record<'bare' | 'reads' | 'bark', Subject>> {
  const headers = authorizationOf(access);
  const response = await fetch(`${access.base_url}/v1/dogs/${dogAt(0)}/`, { headers });
  const url = await ask({ headers: Object.fromEntries(response.headers), body: await response.text() });
  return {
    bare: shooter(String(url), 200, () => ({ path: '/', headers })),
    reads: async (seconds) => Number(await ask({ work: 'reads', seconds, concurrency })),
    bark: async (seconds) => Number(await ask({ work: 'bark', seconds, concurrency })),
  };
}

function authorizationOf({ username, password }: Service['access']): { Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

function dogAt(turn: number): string {
  return dogs[turn % dogs.length] ?? '';
}

/** The number of requests so far. It determines each request's dog, and makes each PATCH unique. */
let turns = 0;

/**
 * Returns a subject that counts the responses with the expected status. The subject throws an error if a request fails or a
 * response has another status, unless it sends the requests to a peer.
 */
function shooter(url: string, status: number, request: (turn: number) => Request, isPeer = false): Subject {
  // Another emulator can serve the API below a path.
  const basePath = new URL(url).pathname.replace(/\/$/, '');
  return async (duration) => {
    const others = new Set<number>();
    let correct = 0;
    const shooting = autocannon({
      url,
      connections: concurrency,
      duration,
      sampleInt: 50,
      requests: [
        {
          setupRequest: (defaults) => {
            const next = { ...defaults, ...request(turns++) };
            return { ...next, path: `${basePath}${next.path}` };
          },
        },
      ],
    });
    // autocannon's promise is also an event emitter.
    (shooting as unknown as Instance).on('response', (_, received) => {
      if (received === status) correct++;
      else others.add(received);
    });
    const { errors, duration: elapsed } = await shooting;
    if (!isPeer && (errors > 0 || others.size > 0))
      throw new Error(
        `Not all requests got ${status}: ${errors} failed, and these statuses were received: ${[...others]}.`,
      );
    return correct / elapsed;
  };
}

async function peerRequests(file: string): Promise<Record<'peerGet' | 'peerPost', Subject>> {
  const access: Access = JSON.parse(readFileSync(file, 'utf8'));
  const { get, post } = await requestsOf(access, { isPeer: true });
  return { peerGet: get, peerPost: post };
}

async function putDogs(url: string, headers: Record<string, string>): Promise<void> {
  const body = JSON.stringify({ barkEffects: ['record'], barkHandling: 'sync' });
  for (const dog of dogs) {
    const { status } = await fetch(`${url}/v1/dogs/${dog}/`, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    });
    if (status >= 300) throw new Error(`PUT of ${dog} returned ${status}.`);
  }
}

type Ask = (question: Question) => Promise<unknown>;

async function startBaselines({ directory }: Service): Promise<{ ask: Ask; end: () => void }> {
  const child = fork(join(import.meta.dirname, 'throughput-baselines.ts'), [
    join(directory, 'cdk.out'),
    ...dogs,
  ]);
  await once(child, 'message');
  return {
    ask: async (question) => {
      child.send(question);
      const [reply] = await once(child, 'message');
      return reply;
    },
    end: () => child.disconnect(),
  };
}
