import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readDogView, readSchedule } from '../../lambdas/domain/barks/queries.ts';
import { putDog } from '../../lambdas/domain/dogs/put.ts';
import { postSchedule } from '../../lambdas/domain/schedules/change.ts';
import type { Occurrence } from '../../lambdas/domain/schedules/eventbridge.ts';
import { DynamoDbEmulator } from '../../local/dynamodb/emulator.ts';
import { createTables } from '../../local/dynamodb/tables.ts';
import { AwsEndpoint } from '../../local/endpoint/endpoint.ts';
import { AsyncInvocations } from '../../local/lambda/async-invocations.ts';
import { LocalFunction } from '../../local/lambda/local-function.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import { readAssembly } from '../../local/template/synthesize.ts';
import { eventually } from '../support/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { synthesized } from '../support/prepare.ts';
import { openQueues } from '../support/queues.ts';

const { template, directory: assets } = readAssembly(synthesized);
const directory = mkdtempSync(join(tmpdir(), 'dogs-'));
const database = new DynamoDbEmulator(join(directory, 'dynamodb.sqlite'), () => {});
const endpoint = new AwsEndpoint();
const clock = new ManualClock(Date.now());
const endings: (() => unknown)[] = [];

/** The scheduled times of the occurrences that the function has received. */
const delivered: string[] = [];

beforeAll(async () => {
  jest.spyOn(console, 'log').mockImplementation(() => {});
  await database.start();
  await endpoint.listen(0);
  endpoint.addCaller({ accessKeyId: 'test', secretAccessKey: 'test' }, 'test');
  endpoint.mount('dynamodb', database.serve);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    DOGS_TABLE: template.outputs.DogsTable,
    BARKS_TABLE: template.outputs.BarksTable,
    SCHEDULE_GROUP: template.outputs.ScheduleGroup,
    SCHEDULE_TARGET_ARN: template.outputs.ScheduleTarget,
    SCHEDULE_ROLE_ARN: template.outputs.ScheduleRole,
    SCHEDULE_DLQ_ARN: template.outputs.ScheduleDlq,
  });
  await createTables(new DynamoDBClient(), template);
  const lambda = targetFunction();
  const { queues, deadLetterQueues } = openQueues(template, directory, clock);
  const invocations = new AsyncInvocations(template, join(directory, 'invocations.sqlite'), {
    invoke: unreliably((event, requestId) => lambda.invoke(event, requestId)),
    deadLetterQueues,
    clock,
  });
  const scheduler = new SchedulerEmulator(template, join(directory, 'schedules.sqlite'), {
    invocations,
    deadLetterQueues,
    clock,
  });
  endpoint.mount('scheduler', scheduler.serve);
  endings.push(
    () => scheduler.stop(),
    () => invocations.stop(),
    () => queues.stop(),
    () => lambda.stop(),
  );
});

afterAll(async () => {
  for (const end of endings) await end();
  endpoint.close();
  await database.stop();
  rmSync(directory, { recursive: true });
});

/** Loads the function that the template's schedules invoke, with the environment variables from the template. */
function targetFunction(): LocalFunction {
  const resource = template.ofType('AWS::Lambda::Function').find(({ name }) => name === 'BarkOnSchedule');
  if (!resource) throw new Error('The template has no target.');
  const { properties, name } = resource;
  mkdirSync(join(directory, 'logs'));
  return new LocalFunction({
    name,
    arn: template.arnOf(resource),
    directory: join(assets, properties.assetPath),
    handler: properties.Handler,
    timeoutSeconds: properties.Timeout,
    memoryMegabytes: properties.MemorySize,
    logFile: join(directory, 'logs', `${name}.log`),
    environment: {
      ...properties.Environment.Variables,
      AWS_ENDPOINT_URL: endpoint.url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  });
}

/** Delivers every third occurrence twice, and each group of seven in reverse order. */
function unreliably(deliver: (event: unknown, requestId: string) => Promise<unknown>) {
  let held: (() => void)[] = [];
  let count = 0;
  return async (functionArn: string, event: unknown, requestId = randomUUID() as string) => {
    // The template contains schedules as well.
    if (functionArn !== template.outputs.ScheduleTarget) return null;
    count += 1;
    const twice = count % 3 === 0;
    await new Promise<void>((resolve) => {
      held.push(resolve);
      if (held.length < 7) return void setTimeout(resolve, 50);
      for (const release of held.toReversed()) release();
      held = [];
    });
    delivered.push((event as Occurrence).scheduledTime);
    const tries = [deliver(event, requestId), ...(twice ? [deliver(event, requestId)] : [])];
    return Promise.all(tries);
  };
}

function call(now = Date.now()) {
  return { now, signal: AbortSignal.timeout(8_000) };
}

/** More than the 100 barks that the history shows. */
const occurrences = process.env.TESTS === 'all' ? 1_000 : 150;

test(`${occurrences} occurrences, a third of them delivered twice and all out of order, make the dog bark ${occurrences} times`, async () => {
  const minute = 60;
  const settings = { email: undefined, owner: undefined, barkHandling: 'sync' } as const;
  await putDog('rex', { ...settings, barkEffects: ['record'] }, {}, call());
  const next = Math.floor(clock.now() / 1000) + minute;
  await postSchedule('rex', { token: 1, next, frequency: 1 }, call());
  // The clock advances in steps of 25 minutes. The scheduler does not deliver occurrences that are more than an hour late, and
  // the function is not fast enough for larger steps.
  for (let fired = 25; fired <= occurrences; fired += 25) {
    await clock.advance(25 * minute * 1000);
    await eventually(async () =>
      expect((await readDogView('rex', call())).dog.barkCount).toBeGreaterThanOrEqual(fired),
    );
  }

  const occurrenceTimes = Array.from({ length: occurrences }, (_, n) => next + n * minute);
  expect(delivered).toHaveLength(occurrences);
  expect(delivered).not.toEqual(delivered.toSorted());
  const { dog, previous } = await readDogView('rex', call(clock.now()));
  expect(dog.barkCount).toBe(occurrences);
  expect(previous).toEqual(occurrenceTimes.slice(-100));
  const last = occurrenceTimes.at(-1) ?? 0;
  expect((await readSchedule('rex', call(clock.now()))).shown).toEqual({ last, next: last + minute });
}, 120_000);
