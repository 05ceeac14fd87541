import * as sdk from '@aws-sdk/client-cloudwatch-logs';
import { LogsEmulator } from '../../logs/emulator.ts';
import { Template } from '../../template/template.ts';
import { type Call, conformance, type Send, type Step, sender } from '../support/conformance.ts';
import { testKill } from '../support/durability.ts';
import { useTestCloud } from '../support/emulators.ts';

const logGroupName = '/aws/events/Stack';
const start = Date.UTC(2026, 10, 21);
const cloud = useTestCloud(start);
let logs: LogsEmulator;

async function open(): Promise<Send> {
  const Properties = { LogGroupName: logGroupName, RetentionInDays: 7 };
  const template = new Template({ Resources: { Log: { Type: 'AWS::Logs::LogGroup', Properties } } }, 'Stack');
  logs = cloud.use(new LogsEmulator(template, cloud.file('logs.sqlite'), cloud.clock));
  return sender(await cloud.client(sdk.CloudWatchLogsClient, 'logs', logs.serve), sdk);
}

const after = (seconds: number) => () => cloud.clock.advance(seconds * 1_000);
const put = (message: string) => () => logs.put(logGroupName, message);
const filtered = (input: object, expected: object): Call => [
  'FilterLogEvents',
  { logGroupName, ...input },
  expected,
];
const found = (input: object, ...messages: string[]) =>
  filtered(input, { events: messages.map((message) => expect.objectContaining({ message })) });
/** Adds an event in each second. */
const three: readonly Step[] = ['a', 'b', 'c'].flatMap((message) => [put(message), after(1)]);

conformance('https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/', open, {
  'The events of a period are in order': [
    ...three,
    found({}, 'a', 'b', 'c'),
    found({ startTime: start + 1_000 }, 'b', 'c'),
    found({ startTime: start, endTime: start + 1_000 }, 'a', 'b'),
    filtered(
      { limit: 1 },
      {
        events: [
          {
            eventId: expect.any(String),
            logStreamName: 'events',
            timestamp: start,
            ingestionTime: start,
            message: 'a',
          },
        ],
      },
    ),
  ],
  'The events are in pages': [
    ...three,
    async (send) => {
      const first = await send('FilterLogEvents', { logGroupName, limit: 2 });
      expect(first.events).toHaveLength(2);
      const input = { logGroupName, limit: 2, nextToken: first.nextToken };
      const second = await send('FilterLogEvents', input);
      expect(second.events).toMatchObject([{ message: 'c' }]);
      expect(second.nextToken).toBeUndefined();
    },
  ],
  'A page has at most 10,000 events': [
    filtered({ limit: 10_001 }, { refused: 'InvalidParameterException', status: 400 }),
    filtered({ limit: 0 }, { refused: 'InvalidParameterException', status: 400 }),
    filtered({ nextToken: 'x' }, { refused: 'InvalidParameterException', status: 400 }),
  ],
  'An event is kept until the retention period ends': [
    put('old'),
    after(8 * 24 * 60 * 60),
    found({}, 'old'),
    put('new'),
    found({}, 'new'),
  ],
  'A call is refused if its log group does not exist, or if it is not supported': [
    filtered({ logGroupName: 'other' }, { refused: 'ResourceNotFoundException', status: 400 }),
    filtered({ filterPattern: 'x' }, { refused: 'InvalidParameterException', status: 400 }),
    ['DescribeLogGroups', {}, { refused: 'UnknownOperationException' }],
    () => expect(() => logs.put('other', 'a')).toThrow('The template has no log group other.'),
  ],
});

testKill(cloud, async () => {
  const send = await open();
  return {
    write: (message) => put(message)(),
    has: async (name) => {
      const { events = [] } = await send<sdk.FilterLogEventsResponse>('FilterLogEvents', { logGroupName });
      return events.some(({ message }) => message === name);
    },
  };
});
