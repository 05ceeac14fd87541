import { createLogsEmulator } from '../../../local/logs/emulator.ts';
import { LogEvents } from '../../../local/logs/log-events.ts';
import { Template } from '../../../local/template/template.ts';
import { callJson } from '../../support/conformance.ts';
import { useTestCloud } from '../../support/emulators.ts';

/* The responses are documented at https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html. */
const group = '/aws/events/Stack';
const dayMs = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 10, 21);
const cloud = useTestCloud(start);
let logEvents: LogEvents;
beforeEach(() => {
  logEvents = open();
});

function open(): LogEvents {
  const Properties = { LogGroupName: group, RetentionInDays: 7 };
  const template = new Template({ Resources: { Log: { Type: 'AWS::Logs::LogGroup', Properties } } }, 'Stack');
  return cloud.use(new LogEvents(template, cloud.file('logs.sqlite'), cloud.clock));
}

/** Calls the emulator, and returns the status and the document of its response. */
const filter = (request: object, operation = 'FilterLogEvents') => {
  const target = { service: 'logs', target: `Logs_20140328.${operation}` };
  return callJson(createLogsEmulator(logEvents), target, { logGroupName: group, ...request });
};

async function messages(request: object): Promise<string[]> {
  const { events } = (await filter(request)) as { events: { message: string }[] };
  return events.map(({ message }) => message);
}

test('FilterLogEvents returns the events of a period in order', async () => {
  for (const text of ['a', 'b', 'c']) {
    logEvents.put(group, text);
    await cloud.clock.advance(1_000);
  }
  expect(await messages({})).toEqual(['a', 'b', 'c']);
  expect(await messages({ startTime: start + 1_000 })).toEqual(['b', 'c']);
  expect(await messages({ startTime: start, endTime: start + 1_000 })).toEqual(['a', 'b']);
  const { events } = await filter({ limit: 1 });
  expect(events).toEqual([
    {
      eventId: expect.any(String),
      logStreamName: 'events',
      timestamp: start,
      ingestionTime: start,
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
  await cloud.stop();
  logEvents = open();
  expect(await messages({})).toEqual(['old']);
  await cloud.clock.advance(8 * dayMs);
  logEvents.put(group, 'new');
  expect(await messages({})).toEqual(['new']);
});

test.each<[string, object, string]>([
  ['an unknown log group', { logGroupName: 'other' }, 'ResourceNotFoundException'],
  [
    'a filter pattern, which the local cloud does not support',
    { filterPattern: 'x' },
    'InvalidParameterException',
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
