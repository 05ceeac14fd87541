import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { pageRoutes } from '../../lambdas/contract/pages.ts';
import { createUser } from '../../lambdas/domain/access/users.ts';
import { putDog } from '../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../lambdas/domain/dogs/read.ts';
import { postSchedule } from '../../lambdas/domain/schedules/change.ts';
import { ensureKey, signingKey } from '../../lambdas/domain/tokens/signing-keys.ts';
import { handler as authorizer } from '../../lambdas/jobs/authorizer.ts';
import { context, sampleEvent } from '../../tools/invocation.ts';
import { authorizerEvent } from '../support/authorizer-event.ts';
import { acceptBark } from '../support/barks.ts';
import { basic } from '../support/client.ts';
import { currentContext as newContext } from '../support/context.ts';
import { useDatabase } from '../support/database.ts';
import { errorClasses } from '../support/errors.ts';
import { calls, injectFaults, reset, standingOf } from '../support/faults.ts';
import { handlers } from '../support/invoke-route.ts';
import { skipPauses } from '../support/pauses.ts';
import { countUnhandledRejections } from '../support/rejections.ts';
import { occurrenceOf } from '../support/schedules.ts';
import { anyEvent, eventOf, nearlyThe, noCredentials, text, withValue } from './arbitrary.ts';
import { isThorough, recordFigures } from './figures.ts';
import { defectsOf } from './response.ts';

/** Each run sends new random events, and prints their seed. To repeat a run, set `INPUTS_SEED` to its seed. */

const seed = Number(process.env.INPUTS_SEED ?? randomInt(2 ** 31));
console.info(`INPUTS_SEED=${seed}`);

interface Figures {
  tried: number;
  'as expected': number;
}

/** Checks random inputs, and counts them. @param runs how many inputs it checks, daily and in a thorough run */
async function expectOfAll<Input>(
  figures: Figures,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => Promise<void>,
  [daily, thorough]: readonly [daily: number, thorough: number],
): Promise<void> {
  const checkAndCount = async (input: Input) => {
    figures.tried += 1;
    await check(input);
    figures['as expected'] += 1;
  };
  const numRuns = isThorough ? thorough : daily;
  await fc.assert(fc.asyncProperty(inputs, checkAndCount), { seed, numRuns });
}

useDatabase();
skipPauses();
const unhandled = countUnhandledRejections();
for (const level of ['error', 'warn', 'info'] as const)
  jest.spyOn(console, level).mockImplementation(() => {});

// Each page's function has a file in its folder.
const taskRoot = mkdtempSync(join(tmpdir(), 'pages-'));
for (const { entry } of pageRoutes)
  for (const extension of ['html', 'json'])
    writeFileSync(join(taskRoot, basename(entry).replace('ts', extension)), '{}');
afterAll(() => rmSync(taskRoot, { recursive: true }));

beforeAll(() => {
  injectFaults();
  Object.assign(process.env, { LAMBDA_TASK_ROOT: taskRoot, CREDENTIALS: '[]' });
});
beforeEach(reset);

const lambda = context(240_000);

const addresses = { email: 'rex@example.com', owner: 'mailto:max@example.com' };

async function putDogs(): Promise<string[]> {
  const dogs = {
    rex: { ...addresses, barkEffects: ['record'], barkHandling: 'sync' },
    max: { ...addresses, barkEffects: ['emailDog', 'emailOwner', 'count'], barkHandling: 'async' },
    bello: { ...addresses, barkEffects: ['emailDog'], barkHandling: 'sync' },
  } as const;
  for (const [id, settings] of Object.entries(dogs))
    await putDog(id, { ...settings, barkEffects: [...settings.barkEffects] }, {}, newContext());
  return Object.keys(dogs);
}

async function outcomeOf<Result>(made: Promise<Result>): Promise<{ response?: Result; thrown?: unknown }> {
  return made.then(
    (response) => ({ response }),
    (thrown: unknown) => ({ thrown }),
  );
}

describe('a route', () => {
  const figures = { tried: 0, 'as expected': 0 };
  afterAll(() => recordFigures({ part: 'Inputs', of: 'events of routes', figures }));

  test.each([...handlers])('%s returns a well-formed response', async (name, handler) => {
    const check = async (event: APIGatewayProxyEvent) => {
      const sent = structuredClone(event);
      const { response, thrown } = await outcomeOf(handler(event, lambda));
      expect(thrown).toBeUndefined();
      // Lambda serializes the response as JSON.
      const received: APIGatewayProxyResult = JSON.parse(JSON.stringify(response));
      expect(defectsOf(received, sent)).toEqual([]);
      expect(received.statusCode).toBeLessThan(500);
    };
    await expectOfAll(figures, eventOf(name, await putDogs()), check, [40, 900]);
  });
});

describe('the authorizer', () => {
  const figures = { tried: 0, 'as expected': 0 };
  afterAll(() => recordFigures({ part: 'Inputs', of: 'events of the authorizer', figures }));
  let kid: string;
  let password: string;

  beforeAll(async () => {
    await ensureKey(newContext);
    ({ kid } = await signingKey(newContext()));
    password = await createUser('jane', { replace: true }, newContext());
  });

  test('throws "Unauthorized" for invalid credentials, with any other headers', async () => {
    const others = fc.option(fc.dictionary(text, text, { maxKeys: 3 }));
    const name = fc.constantFrom('Authorization', 'authorization', 'AUTHORIZATION');
    const events = fc
      .tuple(name, noCredentials(kid), others)
      .map(([field, value, more]) =>
        authorizerEvent(value === undefined ? more : { ...more, [field]: value }),
      );
    const check = async (event: ReturnType<typeof authorizerEvent>) => {
      const { response, thrown } = await outcomeOf(authorizer(event, lambda));
      expect({ response, thrown: String(thrown) }).toEqual({ thrown: 'Error: Unauthorized' });
    };
    await expectOfAll(figures, events, check, [300, 4_000]);
  });

  test('allows valid credentials, with any other headers', async () => {
    const others = fc.dictionary(
      text.filter((name) => name.toLowerCase() !== 'authorization'),
      text,
      { maxKeys: 3 },
    );
    const check = async (more: Record<string, string>) => {
      const event = authorizerEvent({ ...more, Authorization: basic('jane', password) });
      expect(await authorizer(event, lambda)).toMatchObject({
        principalId: 'jane',
        policyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow' }] },
      });
    };
    await expectOfAll(figures, others, check, [20, 200]);
  });
});

describe('a job', () => {
  const figures = { tried: 0, 'as expected': 0, unhandled: 0 };
  afterAll(() =>
    recordFigures({ part: 'Inputs', of: 'events of jobs', figures: { ...figures, unhandled: unhandled() } }),
  );

  type Job = (event: unknown, context: Context) => Promise<unknown>;
  let ids: Readonly<Record<'bark' | 'incarnation', string>>;

  beforeAll(async () => {
    await putDogs();
    await postSchedule('rex', { token: 1, next: 0, frequency: 10 }, newContext());
    const { incarnation } = await readDog('rex', newContext());
    ids = { bark: await acceptBark('max', newContext()), incarnation };
  });

  const workflowInput = () => ({ dog: 'max', bark: ids.bark });
  const record = ['Records', '0', 'dynamodb'];
  const schedule = { M: { scheduleId: { S: '0'.repeat(20) } } };
  const removed = () => ({ id: { S: 'rex' }, incarnation: { S: ids.incarnation }, schedule });

  /** For each kind of event: the job, a valid event, and the paths of its required members. A member with `?` can be absent. */
  const jobs: Readonly<Record<string, readonly [entry: string, event: () => unknown, needed: string[]]>> = {
    'a task of the workflow': ['perform-bark', workflowInput, ['dog', 'bark']],
    'a failure of the workflow': [
      'fail-bark',
      () => ({ ...workflowInput(), error: { Error: 'Unavailable', Cause: '' } }),
      ['dog', 'bark'],
    ],
    'the end of an execution': [
      'fail-bark',
      () => withValue(sampleEvent('FailBark'), ['detail', 'input'], JSON.stringify(workflowInput())),
      ['detail.input'],
    ],
    'an occurrence of a schedule': [
      'bark-on-schedule',
      () => occurrenceOf(standingOf('rex')),
      Object.keys(sampleEvent('BarkOnSchedule')),
    ],
    'the removal of a dog': [
      'purge-dog',
      () => withValue(sampleEvent('PurgeDog'), [...record, 'OldImage'], removed()),
      ['id.S', 'incarnation.S', 'schedule?.M.scheduleId.S'].map(
        (path) => `Records.0.dynamodb.OldImage.${path}`,
      ),
    ],
    // @extension events {
    'the change of a bark': [
      'publish-events',
      () => sampleEvent('PublishEvents'),
      ['SequenceNumber', 'NewImage.dog.S', 'NewImage.sk.S', 'NewImage.incarnation.S'].map(
        (path) => `Records.0.dynamodb.${path}`,
      ),
    ],
    // @extension events }
  };
  const kinds = Object.entries(jobs);

  async function jobOf(entry: string): Promise<Job> {
    return (await import(`../../lambdas/jobs/${entry}.ts`)).handler;
  }

  /** Checks that the job throws InvalidEvent before it makes an AWS call. */
  async function expectRefusal(handler: Job, event: unknown): Promise<void> {
    reset();
    const { thrown } = await outcomeOf(handler(event, lambda));
    expect({ refused: nameOf(thrown), calls: calls() }).toEqual({ refused: 'InvalidEvent', calls: [] });
  }

  test.each(kinds)('throws InvalidEvent if it receives a random event instead of %s', async (_, [entry]) => {
    const handler = await jobOf(entry);
    await expectOfAll(figures, anyEvent, (event) => expectRefusal(handler, event), [100, 800]);
  });

  test.each(kinds)(
    'throws InvalidEvent for %s without a required member',
    async (_, [entry, create, paths]) => {
      const handler = await jobOf(entry);
      const [event, needed] = [create(), paths.flatMap(requiredBy)];
      const wrong = fc.oneof(
        fc.constantFrom(undefined, '', true, -1, 0.5, 1e300, [], {}, [[]], { S: 1 }, '\ud800'),
        // A sort key with an unknown prefix is valid, because a later version may have written it.
        fc.string().filter((word) => !/^[\w-]*$|^\w#./.test(word)),
      );
      const events = fc
        .tuple(fc.constantFrom(...needed), wrong)
        .map(([place, value]) => withValue(event, place, value));
      await expectOfAll(figures, events, (one) => expectRefusal(handler, one), [150, 1_000]);
    },
  );

  test.each(kinds)('handles %s with a small change, or throws a domain error', async (_, [entry, create]) => {
    const handler = await jobOf(entry);
    const check = async (near: unknown) => {
      const { thrown } = await outcomeOf(handler(near, lambda));
      if (thrown !== undefined) expect(Object.keys(errorClasses)).toContain(nameOf(thrown));
    };
    await expectOfAll(figures, nearlyThe(create() as object), check, [100, 500]);
  });

  test('refreshes credentials regardless of the event', async () => {
    const { handler } = await import('../../lambdas/jobs/refresh-credentials.ts');
    const check = async (event: unknown) =>
      expect(await outcomeOf(handler(event, lambda))).toEqual({ response: undefined });
    await expectOfAll(figures, anyEvent, check, [50, 200]);
  });
});

test('all rejections are handled', () => expect(unhandled()).toBe(0));

/** Returns the paths that a required member needs: those of its parents, except those that can be absent, and its own. */
function requiredBy(path: string): string[][] {
  const names = path.split('.');
  return [[], ...names.map((_, i) => names.slice(0, i + 1))]
    .filter((place) => !place.at(-1)?.endsWith('?'))
    .map((place) => place.map((name) => name.replace('?', '')));
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : `no error, but ${typeof thrown}`;
}
