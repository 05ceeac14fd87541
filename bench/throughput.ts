import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import autocannon, { type Instance, type Request } from 'autocannon';
import { readAssembly } from '../local/template/synthesize.ts';
import { type Service, startService } from '../tools/service.ts';
import { median } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';
import { dogItem } from './items.ts';
import type { Question } from './throughput-baselines.ts';
import { inTurns, type Subject } from './turns.ts';

const rounds = 5;

/** The number of concurrent requests. */
const concurrency = 10;

/** Enough dogs that no two concurrent requests change the same one. */
const dogs = Array.from({ length: 200 }, (_, i) => `dog-${i}`);

/** Measures the requests per second of the service, of a bare server and of the database calls alone, on one machine. */
export async function measure(): Promise<Table[]> {
  const service = await startService();
  const baselines = await startBaselines(service);
  try {
    await putDogs(service);
    const subjects = { ...(await baselinesOf(service, baselines.ask)), ...requestsOf(service) };
    return [tableOf(await inTurns(subjects, { warmUp: 2, rounds, seconds: 2 }))];
  } finally {
    baselines.end();
    await service.stop();
    rmSync(service.directory, { recursive: true });
  }
}

type Name = 'bare' | 'reads' | 'bark' | 'get' | 'post' | 'patch' | 'token';

function tableOf({ bare, reads, bark, get, post, patch, token }: Record<Name, readonly number[]>): Table {
  const row = (name: string, rates: readonly number[], alone: readonly number[] = []) => {
    const ratios = alone.map((rate, round) => (rates[round] ?? 0) / rate);
    const spread = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
    return [
      name,
      Math.round(median(rates)),
      ...(ratios.length > 0 ? [median(ratios).toFixed(2), spread.join(' to ')] : ['', '']),
    ];
  };
  return {
    title: `Requests per second over ${concurrency} connections, as medians of ${rounds} rounds`,
    columns: ['', 'per second', '÷ SDK alone', 'lowest to highest'],
    rows: [
      row('GET of a dog', get, reads),
      row('the same two reads, with only the SDK', reads),
      row('POST to `barks`, recorded', post, bark),
      row('the same read and transaction, with only the SDK', bark),
      row('PATCH with a new schedule', patch, bark),
      row('POST of a refresh token', token),
      row('a bare `node:http` server that returns the bytes of GET', bare),
    ],
    documented: ([name]) => !/^PATCH|token/.test(String(name)),
  };
}

function requestsOf({ access }: Service): Record<'get' | 'post' | 'patch' | 'token', Subject> {
  const { base_url, client_id = '', client_secret = '', refresh_token = '' } = access;
  const headers = authorizationOf(access);
  const form = { grant_type: 'refresh_token', client_id, client_secret, refresh_token };
  const nextYear = Math.floor(Date.now() / 1000) + 365 * 24 * 60 * 60;
  return {
    get: shooter(base_url, 200, (turn) => ({ path: `/v1/dogs/${dogAt(turn)}/`, headers })),
    post: shooter(base_url, 201, (turn) => ({
      method: 'POST',
      path: `/v1/dogs/${dogAt(turn)}/barks`,
      headers,
    })),
    patch: shooter(base_url, 205, (turn) => ({
      method: 'PATCH',
      path: `/v1/dogs/${dogAt(turn)}/`,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'If-Unmodified-Since': new Date().toUTCString(),
      },
      body: JSON.stringify({ barks: { next: nextYear + turn, frequency: 10 } }),
    })),
    token: shooter(base_url, 200, () => ({
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

/** Counts the requests, so that each one that changes a dog is unique. */
let turns = 0;

/**
 * Sends requests for some seconds.
 *
 * @throws Error if a request fails, or if a response's status is not `status`
 */
function shooter(url: string, status: number, request: (turn: number) => Request): Subject {
  return async (duration) => {
    const others = new Set<number>();
    const shooting = autocannon({
      url,
      connections: concurrency,
      duration,
      sampleInt: 50,
      requests: [{ setupRequest: (defaults) => ({ ...defaults, ...request(turns++) }) }],
    });
    // The returned promise is also an emitter.
    (shooting as unknown as Instance).on('response', (_, received) => {
      if (received !== status) others.add(received);
    });
    const { errors, requests, duration: elapsed } = await shooting;
    if (errors > 0 || others.size > 0)
      throw new Error(`A response had a status other than ${status}: ${errors} errors, ${[...others]}.`);
    return requests.total / elapsed;
  };
}

async function putDogs({ directory }: Service): Promise<void> {
  const { administrator: client } = JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8'));
  const { DogsTable } = readAssembly(join(directory, 'cdk.out')).template.outputs;
  const database = DynamoDBDocumentClient.from(new DynamoDBClient(client));
  for (const dog of dogs) await database.send(new PutCommand({ TableName: DogsTable, Item: dogItem(dog) }));
  database.destroy();
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
