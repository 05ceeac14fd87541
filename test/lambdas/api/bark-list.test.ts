import { handler as listBarks } from '../../../lambdas/api/dogs/barks/list.ts';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import { performBark } from '../../../lambdas/domain/barks/perform.ts';
import { deleteDog } from '../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../../lambdas/domain/dogs/put.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { StartKeys } from '../../../local/dynamodb/start-keys.ts';
import { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import { forwardSigned } from '../../../local/endpoint/forwarding.ts';
import { readAssembly } from '../../../local/template/synthesize.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';
import { injectFaults, standingOf } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';
import { synthesized } from '../../support/prepare.ts';
import { fire } from '../../support/schedules.ts';

useDatabase();

/** An endpoint that checks start keys as DynamoDB does, and then forwards the call to the embedded database. */
const endpoint = new AwsEndpoint();
beforeAll(async () => {
  const { AWS_ENDPOINT_URL_DYNAMODB: url = '' } = process.env;
  const startKeys = new StartKeys(readAssembly(synthesized).template);
  endpoint.addCaller({ accessKeyId: 'test', secretAccessKey: 'test' }, 'test');
  endpoint.guard((call) => startKeys.errorFor(call));
  endpoint.mount('dynamodb', forwardSigned(url));
  await endpoint.listen(0);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint.url;
  injectFaults();
});
afterAll(() => endpoint.close());

const now = Date.UTC(2026, 10, 21, 12, 0, 0);

function newContext(afterSeconds = 0) {
  return { now: now + afterSeconds * 1_000, signal: AbortSignal.timeout(8_000) };
}

function effectsOf(dog: string, ...barkEffects: Effect[]) {
  const addresses = { email: 'dog@example.com', owner: 'mailto:owner@example.com' };
  return putDog(dog, { ...addresses, barkEffects, barkHandling: 'sync' }, {}, newContext());
}

async function barkSync(dog: string, time: number): Promise<string | undefined> {
  const outcome = await createBark(dog, {}, newContext(time));
  return outcome.kind === 'recorded' ? outcome.bark.id : undefined;
}

/** Makes a dog bark asynchronously. The bark is accepted one second before it is performed. */
async function barkAsync(dog: string, time: number): Promise<string> {
  const outcome = await createBark(dog, { isAsync: true }, newContext(time - 1));
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  await performBark(dog, outcome.bark.id, newContext(time));
  return outcome.bark.id;
}

interface Page {
  readonly status: number;
  readonly ids: string[];
  readonly after: string | undefined;
}

async function page(dog: string, query: Record<string, string>): Promise<Page> {
  const response = await invoke(listBarks, 'ListBarks', {
    pathParameters: { dog_id: dog },
    queryStringParameters: query,
  });
  const link = String(response.headers?.Link ?? '');
  const { barks = [] } = response.json() as { barks?: { id: string }[] };
  return {
    status: response.statusCode,
    ids: barks.map(({ id }) => id),
    after: /[?&]after=([^&>]+)/.exec(link)?.[1],
  };
}

/** Follows the cursors as a client does. Returns the IDs of all barks, and the cursors. */
async function follow(dog: string, limit: number): Promise<{ ids: string[]; cursors: string[] }> {
  const ids: string[] = [];
  const cursors: string[] = [];
  for (;;) {
    const query = { limit: String(limit), ...(cursors.length > 0 && { after: cursors.at(-1) ?? '' }) };
    const { status, ids: shown, after } = await page(dog, query);
    expect(status).toBe(200);
    ids.push(...shown);
    if (after === undefined) return { ids, cursors };
    cursors.push(after);
  }
}

/** Returns a dog with barks of every kind, and the IDs of its recorded barks. An earlier dog with the same ID has barked too. */
async function busyDog(): Promise<{ dog: string; recorded: string[] }> {
  const dog = await newDog('sync', ['record']);
  for (const time of [1, 2, 3]) await barkSync(dog, time);
  await deleteDog(dog, {}, newContext(4));
  await effectsOf(dog, 'record');
  const recorded: (string | undefined)[] = [];
  recorded.push(await barkSync(dog, 10), await barkAsync(dog, 11), await barkAsync(dog, 12));
  await effectsOf(dog, 'emailDog');
  await createBark(dog, { inHistory: true }, newContext(13));
  await effectsOf(dog, 'count');
  await barkSync(dog, 14);
  await effectsOf(dog, 'emailDog', 'record');
  recorded.push(await barkSync(dog, 15), await barkAsync(dog, 16));
  await postSchedule(dog, { token: 1, next: now / 1_000 + 600, frequency: 10 }, newContext(17));
  const schedule = standingOf(dog);
  for (const n of [0, 1]) await fire(schedule, newContext(600 + n * 600), n);
  const { ids } = await page(dog, { limit: '2' });
  expect(ids.every((id) => id.startsWith('s'))).toBe(true);
  recorded.push(...ids.toReversed(), await barkAsync(dog, 2_000), await barkSync(dog, 2_001));
  return { dog, recorded: recorded.flatMap((id) => id ?? []).reverse() };
}

describe('GET /v1/dogs/{dog_id}/barks', () => {
  let dog: string;
  let recorded: string[];
  beforeAll(async () => {
    ({ dog, recorded } = await busyDog());
  });

  test.each([1, 2, 3, 5, 7, 100])(
    'returns each recorded bark once to a client that follows the cursors, %i at a time',
    async (limit) => {
      expect((await follow(dog, limit)).ids).toEqual(recorded);
    },
  );

  test('returns 400 for a bark ID instead of a cursor', async () => {
    expect(new Set(recorded.map((id) => id.charAt(0)))).toEqual(new Set(['a', 's']));
    const statuses = await Promise.all(
      recorded.map(async (after) => [after, (await page(dog, { after })).status]),
    );
    expect(statuses).toEqual(recorded.map((after) => [after, 400]));
  });

  test('returns 400 for a cursor that another list returned', async () => {
    const other = await busyDog();
    const [cursor = ''] = (await follow(other.dog, 2)).cursors;
    expect([
      (await page(other.dog, { after: cursor })).status,
      (await page(dog, { after: cursor })).status,
    ]).toEqual([200, 400]);
  });

  test('returns 400 for a cursor from an earlier dog with the same ID', async () => {
    const { dog: former } = await busyDog();
    const [cursor = ''] = (await follow(former, 2)).cursors;
    await deleteDog(former, {}, newContext(3_000));
    await effectsOf(former, 'record');
    expect((await page(former, { after: cursor })).status).toBe(400);
  });

  test('returns 400 for a cursor with any changed character', async () => {
    const [cursor = ''] = (await follow(dog, 2)).cursors;
    for (let i = 0; i < cursor.length; i++) {
      const after = `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`;
      expect([after, (await page(dog, { after })).status]).toEqual([after, 400]);
    }
  });

  test('accepts each cursor more than once', async () => {
    const { cursors } = await follow(dog, 2);
    expect(cursors.length).toBeGreaterThan(3);
    for (const after of cursors) expect((await page(dog, { after })).status).toBe(200);
  });
});
