import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogsEmulator } from '../../../local/logs/emulator.ts';
import { LogEvents } from '../../../local/logs/log-events.ts';
import { Template } from '../../../local/template/template.ts';

const group = '/aws/events/Stack';
const dayMs = 24 * 60 * 60 * 1000;
const directory = mkdtempSync(join(tmpdir(), 'logs-'));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
let now: number;
let logEvents: LogEvents;
beforeEach(() => {
  now = Date.UTC(2026, 10, 21);
  logEvents = open(`${files++}.sqlite`);
});
afterEach(() => logEvents.stop());

function open(file: string): LogEvents {
  const Properties = { LogGroupName: group, RetentionInDays: 7 };
  const template = new Template({ Resources: { Log: { Type: 'AWS::Logs::LogGroup', Properties } } }, 'Stack');
  return new LogEvents(template, join(directory, file), { now: () => now });
}

/** Calls the emulator, and returns the status and the document of its response. */
async function filter(request: object, operation = 'FilterLogEvents') {
  const headers = { 'x-amz-target': `Logs_20140328.${operation}` };
  const call = { caller: 'test', service: 'logs', method: 'POST', path: '/', headers };
  const body = Buffer.from(JSON.stringify({ logGroupName: group, ...request }));
  const response = await createLogsEmulator(logEvents)({ ...call, body });
  return { status: response.status, ...JSON.parse(String(response.body)) };
}

async function messages(request: object): Promise<string[]> {
  const { events } = (await filter(request)) as { events: { message: string }[] };
  return events.map(({ message }) => message);
}

test('FilterLogEvents returns the events of a period in order', async () => {
  for (const text of ['a', 'b', 'c']) {
    logEvents.put(group, text);
    now += 1_000;
  }
  const from = Date.UTC(2026, 10, 21);
  expect(await messages({})).toEqual(['a', 'b', 'c']);
  expect(await messages({ startTime: from + 1_000 })).toEqual(['b', 'c']);
  expect(await messages({ startTime: from, endTime: from + 1_000 })).toEqual(['a', 'b']);
  const { events } = await filter({ limit: 1 });
  expect(events).toEqual([
    {
      eventId: expect.any(String),
      logStreamName: 'events',
      timestamp: from,
      ingestionTime: from,
      message: 'a',
    },
  ]);
});

test('FilterLogEvents returns pages', async () => {
  for (const text of ['a', 'b', 'c']) logEvents.put(group, text);
  const first = await filter({ limit: 2 });
  expect(first.events).toHaveLength(2);
  const second = await filter({ limit: 2, nextToken: first.nextToken });
  expect(second.events).toMatchObject([{ message: 'c' }]);
  expect(second).not.toHaveProperty('nextToken');
});

test('log events survive a restart until their retention period ends', async () => {
  logEvents.put(group, 'old');
  logEvents.stop();
  logEvents = open(`${files - 1}.sqlite`);
  expect(await messages({})).toEqual(['old']);
  now += 8 * dayMs;
  logEvents.put(group, 'new');
  expect(await messages({})).toEqual(['new']);
});

test.each<[string, object, string]>([
  ['an unknown log group', { logGroupName: 'other' }, 'ResourceNotFoundException'],
  ['a limit of 0', { limit: 0 }, 'InvalidParameterException'],
  ['a limit of 10,001', { limit: 10_001 }, 'InvalidParameterException'],
  [
    'a filter pattern, which the local cloud does not support',
    { filterPattern: 'x' },
    'UnknownOperationException',
  ],
])('FilterLogEvents refuses %s', async (_, request, type) => {
  expect(await filter(request)).toMatchObject({ status: 400, __type: type });
});

test('another operation is refused', async () => {
  expect(await filter({}, 'PutLogEvents')).toMatchObject({ __type: 'UnknownOperationException' });
});

test('an event for an unknown log group is refused', () => {
  expect(() => logEvents.put('other', 'a')).toThrow('The template has no log group other.');
});

test('A batch stores all its events or none', async () => {
  expect(logEvents.batch(() => ['a', 'b'].map((text) => logEvents.put(group, text)).length)).toBe(2);
  const failing = () => {
    logEvents.put(group, 'c');
    throw new Error('the disk is full');
  };
  expect(() => logEvents.batch(failing)).toThrow('the disk is full');
  logEvents.put(group, 'd');
  expect(await messages({})).toEqual(['a', 'b', 'd']);
});
