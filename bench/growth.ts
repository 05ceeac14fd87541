import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { handler as getLastBark } from '../lambdas/api/dogs/bark/get.ts';
import { handler as postLastBark } from '../lambdas/api/dogs/bark/post.ts';
import { handler as deleteBarkSchedule } from '../lambdas/api/dogs/bark-schedule/delete.ts';
import { handler as getBarkSchedule } from '../lambdas/api/dogs/bark-schedule/get.ts';
import { handler as postBarkSchedule } from '../lambdas/api/dogs/bark-schedule/post.ts';
import { handler as getBark } from '../lambdas/api/dogs/barks/get.ts';
import { handler as listBarks } from '../lambdas/api/dogs/barks/list.ts';
import { handler as postBarks } from '../lambdas/api/dogs/barks/post.ts';
import { handler as deleteDog } from '../lambdas/api/dogs/delete.ts';
import { handler as getDog } from '../lambdas/api/dogs/get.ts';
import { handler as listDogs } from '../lambdas/api/dogs/list.ts';
import { handler as patchDog } from '../lambdas/api/dogs/patch.ts';
import { handler as putDog } from '../lambdas/api/dogs/put.ts';
import { nameIn } from '../lambdas/domain/barks/keys.ts';
import { database } from '../lambdas/domain/platform/dynamodb.ts';
import { arn, region } from '../local/template/arns.ts';
import { context, sampleEvent } from '../tools/invocation.ts';
import { median } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';
import { type Dataset, startDatasets, tableOf } from './datasets.ts';
import { barkItem, dogItem } from './items.ts';
import { inTurns, rateOf } from './turns.ts';

const ofDogs = [1, 100, 10_000, 1_000_000].map((dogs) => ({ name: `dogs-${dogs}`, dogs, barks: 1 }));
const ofBarks = [0, 100, 10_000, 1_000_000].map((barks) => ({ name: `barks-${barks}`, dogs: 1, barks }));
const busy: Dataset = { name: 'busy', dogs: 100, barks: 0 };

/** The number of measured calls to each route with each dataset, and of unmeasured calls before them. */
const calls = 60;
const warmUp = 20;

const documentedSteps = new Set(['GetDog', 'ListDogs', 'ListBarks', 'PostBarks', 'PatchDog', 'DeleteDog']);

const concurrency = 10;

interface Step {
  /** The name of the route and of its sample event. */
  readonly name: string;
  readonly handler: unknown;
  readonly status: number;
  /** Returns the differences from the sample event. @param number unique for each call */
  readonly event?: (number: number) => Changes;
  /** True if the route needs a bark in the dataset. Datasets without barks are then skipped. */
  readonly ofBark?: true;
  /** Runs before each call, unmeasured. */
  readonly before?: (dataset: Dataset) => Promise<unknown>;
}

type Changes = Partial<Pick<APIGatewayProxyEvent, 'body' | 'pathParameters' | 'headers'>>;

/** `reads` and `writes` are in capacity units. */
interface Figures {
  readonly milliseconds: number;
  readonly reads: number;
  readonly writes: number;
}

const nextYear = Math.floor(Date.now() / 1000) + 365 * 24 * 60 * 60;

const setSchedule: Step = {
  name: 'PostBarkSchedule',
  handler: postBarkSchedule,
  status: 205,
  event: (number) => ({ body: JSON.stringify({ token: number, next: nextYear + number, frequency: 10 }) }),
};

/** The routes that read barks come first, because others add barks to the datasets. */
const steps: readonly Step[] = [
  { name: 'GetDog', handler: getDog, status: 200 },
  { name: 'ListDogs', handler: listDogs, status: 200 },
  { name: 'ListBarks', handler: listBarks, status: 200 },
  {
    name: 'GetBark',
    handler: getBark,
    status: 200,
    ofBark: true,
    event: () => ({ pathParameters: { bark_id: `s${nameIn(barkItem('dog-0', 0).sk)}` } }),
  },
  { name: 'GetLastBark', handler: getLastBark, status: 200, ofBark: true },
  { name: 'PutDog', handler: putDog, status: 204, event: () => ({ body: '{}' }) },
  { name: 'PostBarks', handler: postBarks, status: 201 },
  { name: 'PostLastBark', handler: postLastBark, status: 201 },
  {
    name: 'PatchDog',
    handler: patchDog,
    status: 205,
    event: (number) => ({
      headers: { 'If-Unmodified-Since': new Date().toUTCString() },
      body: JSON.stringify({ barks: { next: nextYear + number, frequency: 10 } }),
    }),
  },
  setSchedule,
  { name: 'GetBarkSchedule', handler: getBarkSchedule, status: 200 },
  {
    name: 'DeleteBarkSchedule',
    handler: deleteBarkSchedule,
    status: 204,
    before: (dataset) => call(setSchedule, dataset),
  },
  { name: 'DeleteDog', handler: deleteDog, status: 204, before: putAgain },
];

export async function measure(): Promise<Table[]> {
  const datasets = await startDatasets([...ofDogs, ...ofBarks, busy]);
  const scheduler = createServer((_, response) => response.end('{"ScheduleArn":"arn:of:it"}'));
  await new Promise<void>((resolve) => scheduler.listen(0, '127.0.0.1', resolve));
  const { port } = scheduler.address() as AddressInfo;
  Object.assign(process.env, environmentOf(datasets.url, `http://127.0.0.1:${port}`));
  meter();
  try {
    const figures = new Map<Step, Map<Dataset, Figures>>();
    for (const step of steps) figures.set(step, await figuresOf(step, [...ofDogs, ...ofBarks]));
    return [
      summaryOf(figures),
      ...tablesOf(figures, ofDogs, 'dogs'),
      ...tablesOf(figures, ofBarks, 'barks'),
      await busyTable(),
    ];
  } finally {
    scheduler.close();
    scheduler.closeAllConnections();
    database.destroy();
    await datasets.stop();
  }
}

function environmentOf(databaseUrl: string, schedulerUrl: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: databaseUrl,
    AWS_ENDPOINT_URL_SCHEDULER: schedulerUrl,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    SCHEDULE_GROUP: 'dogs',
    SCHEDULE_TARGET_ARN: arn('lambda', 'function:target'),
    SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/scheduler',
    SCHEDULE_DLQ_ARN: arn('sqs', 'schedule-dlq'),
  };
}

/** The capacity units of all database calls since the last measurement began. */
const consumed = { reads: 0, writes: 0 };

function meter(): void {
  database.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
        const result = await next(args);
        const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] };
        for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat())
          consumed[/^(Get|Query|Scan)/.test(commandName) ? 'reads' : 'writes'] += CapacityUnits;
        return result;
      },
    { step: 'initialize' },
  );
}

interface Consumed {
  readonly CapacityUnits?: number;
}

/** Calls a route with each dataset in turn, so that other load on the machine affects all datasets equally. */
async function figuresOf(step: Step, datasets: readonly Dataset[]): Promise<Map<Dataset, Figures>> {
  const taken = new Map<Dataset, Figures[]>(datasets.map((dataset) => [dataset, []]));
  for (let turn = 0; turn < warmUp + calls; turn++)
    for (const [dataset, figures] of taken) {
      if (step.ofBark && dataset.barks === 0) continue;
      await step.before?.(dataset);
      const one = await measured(() => call(step, dataset));
      if (turn >= warmUp) figures.push(one);
    }
  const medians = (figures: readonly Figures[]) => ({
    milliseconds: median(figures.map(({ milliseconds }) => milliseconds)),
    reads: median(figures.map(({ reads }) => reads)),
    writes: median(figures.map(({ writes }) => writes)),
  });
  return new Map([...taken].map(([dataset, figures]) => [dataset, medians(figures)]));
}

async function measured(work: () => Promise<unknown>): Promise<Figures> {
  Object.assign(consumed, { reads: 0, writes: 0 });
  const started = performance.now();
  await work();
  return { milliseconds: performance.now() - started, ...consumed };
}

let numbers = 0;

/** Calls a route as API Gateway does. @throws Error if the status is not the expected one */
async function call({ name, handler, status, event }: Step, dataset: Dataset, dog = 'dog-0'): Promise<void> {
  process.env.DOGS_TABLE = tableOf(dataset, 'Dogs');
  process.env.BARKS_TABLE = tableOf(dataset, 'Barks');
  const { pathParameters, headers = {}, body } = event?.(numbers++) ?? {};
  const sample = sampleEvent(name);
  const multiValueHeaders = Object.entries(headers).map(([field, value]) => [field, [value ?? '']]);
  const response = await (handler as Handler)(
    {
      ...sample,
      pathParameters: { ...sample.pathParameters, dog_id: dog, ...pathParameters },
      headers: { ...sample.headers, ...headers },
      multiValueHeaders: { ...sample.multiValueHeaders, ...Object.fromEntries(multiValueHeaders) },
      ...(body && { body }),
    },
    context(),
  );
  if (response.statusCode !== status)
    throw new Error(
      `${name} returned ${response.statusCode} for ${dog} of ${dataset.name}: ${response.body}`,
    );
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

function putAgain(dataset: Dataset): Promise<unknown> {
  return database.send(new PutCommand({ TableName: tableOf(dataset, 'Dogs'), Item: dogItem('dog-0') }));
}

function summaryOf(figures: ReadonlyMap<Step, ReadonlyMap<Dataset, Figures>>): Table {
  const [dogTimes] = tablesOf(figures, ofDogs, 'dogs');
  const [barkTimes, barkUnits] = tablesOf(figures, ofBarks, 'barks');
  const columns = [dogTimes, barkTimes, barkUnits].map(
    (table) => table?.rows.map((row) => row.at(-1) ?? '') ?? [],
  );
  return {
    title: 'Time of each route with the largest table (÷ with the smallest), and its units (read + written)',
    columns: ['', 'time, 1,000,000 dogs', 'time, 1,000,000 barks', 'units'],
    rows: steps.map(({ name }, i) => [name, ...columns.map((cells) => cells[i] ?? '')]),
    documented: ([name]) => documentedSteps.has(String(name)),
  };
}

function tablesOf(
  figures: ReadonlyMap<Step, ReadonlyMap<Dataset, Figures>>,
  datasets: readonly Dataset[],
  kind: 'dogs' | 'barks',
): Table[] {
  const columns = ['', ...datasets.map((dataset) => dataset[kind].toLocaleString('en'))];
  const rows = (cell: (figure: Figures, first: Figures) => string) =>
    [...figures].map(([{ name }, byDataset]) => {
      const all = datasets.map((dataset) => byDataset.get(dataset)).filter((figure) => figure !== undefined);
      const first = all.find(({ milliseconds }) => milliseconds > 0);
      return [name, ...all.map((figure) => (first && figure.milliseconds > 0 ? cell(figure, first) : '–'))];
    });
  const of = kind === 'dogs' ? 'dogs' : 'barks of the dog';
  return [
    {
      title: `Time of each route, by number of ${of} (÷ the time with the smallest number)`,
      columns,
      rows: rows((figure, first) => (figure.milliseconds / first.milliseconds).toFixed(2)),
      documented: () => false,
    },
    {
      title: `Capacity units of each route (read + written), by number of ${of}`,
      columns,
      rows: rows(({ reads, writes }) => `${reads} + ${writes}`),
      documented: () => false,
    },
  ];
}

/** Compares one dog's barks, which contend for one item, with the barks of a hundred dogs. */
async function busyTable(): Promise<Table> {
  const bark: Step = { name: 'PostBarks', handler: postBarks, status: 201 };
  let turn = 0;
  const rates = await inTurns(
    {
      one: (seconds) => rateOf(() => call(bark, busy), seconds, concurrency),
      hundred: (seconds) => rateOf(() => call(bark, busy, `dog-${turn++ % busy.dogs}`), seconds, concurrency),
    },
    { warmUp: 2, rounds: 7, seconds: 1 },
  );
  const [one, hundred] = [median(rates.one), median(rates.hundred)];
  return {
    title: `Barks per second, ${concurrency} at a time`,
    columns: ['', 'per second', '÷ a hundred dogs'],
    rows: [
      ['of a hundred dogs', Math.round(hundred), '1.00'],
      ['of one dog', Math.round(one), (one / hundred).toFixed(2)],
    ],
    documented: () => false,
  };
}
