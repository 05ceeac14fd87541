import { createEventBridgeEmulator } from '../../eventbridge/emulator.ts';
import type { BusEvent, EventBus } from '../../eventbridge/event-bus.ts';
import { callJson } from '../support/conformance.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
const put = jest.fn<void, [event: BusEvent, busName: string]>();
const has = (name: string) => ['default', 'dogs'].includes(name);
const bus = { has, put } as unknown as EventBus;
const serve = createEventBridgeEmulator(bus, { now: () => Date.UTC(2026, 10, 21) });
beforeEach(() => {
  put.mockClear();
});

const entry = { EventBusName: 'dogs', Source: 'dogs', DetailType: 'dogs.bark', Detail: '{"dog":"rex"}' };

const call = (body: object, operation = 'PutEvents') =>
  callJson(serve, { service: 'events', target: `AWSEvents.${operation}` }, body);

/* The responses are documented at https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html. */
test('PutEvents delivers each entry to its bus in the form of an event', async () => {
  const activities = cloud.activities();
  const time = Date.UTC(2026, 10, 20) / 1000;
  const arn = 'arn:aws:events:us-east-1:000000000000:event-bus/dogs';
  const result = await call({ Entries: [entry, { ...entry, EventBusName: arn, Time: time }] });
  expect(result).toEqual({
    status: 200,
    FailedEntryCount: 0,
    Entries: [{ EventId: expect.any(String) }, { EventId: expect.any(String) }],
  });
  const event = {
    version: '0',
    id: result.Entries[0].EventId,
    'detail-type': 'dogs.bark',
    source: 'dogs',
    account: '000000000000',
    time: '2026-11-21T00:00:00Z',
    region: 'us-east-1',
    resources: [],
    detail: { dog: 'rex' },
  };
  expect(put.mock.calls).toEqual([
    [event, 'dogs'],
    [{ ...event, id: result.Entries[1].EventId, time: '2026-11-20T00:00:00Z' }, 'dogs'],
  ]);
  expect(activities).toEqual(
    Array(2).fill({ type: 'event', source: 'dogs', detailType: 'dogs.bark', detail: { dog: 'rex' } }),
  );
});

test.each<[what: string, change: object, code?: string]>([
  ['the source of an AWS service', { Source: 'aws.ses' }, 'NotAuthorizedForSourceException'],
  ['no source', { Source: undefined }],
  ['no type', { DetailType: undefined }],
  ['no detail', { Detail: undefined }],
  ['a detail that is not JSON', { Detail: '{' }],
  ['a detail that is not an object', { Detail: '[]' }],
])('PutEvents accepts the other entries if one has %s', async (_, change, code = 'InvalidArgument') => {
  const { FailedEntryCount, Entries } = await call({ Entries: [entry, { ...entry, ...change }, entry] });
  expect([FailedEntryCount, Entries[1].ErrorCode]).toEqual([1, code]);
  expect(put).toHaveBeenCalledTimes(2);
});

test.each<[string, object[], string, string]>([
  ['no entries', [], 'ValidationException', 'greater than or equal to 1'],
  ['11 entries', Array(11).fill(entry), 'ValidationException', 'less than or equal to 10'],
  [
    'more than 1 MB',
    Array(2).fill({ ...entry, Detail: JSON.stringify({ text: 'x'.repeat(600_000) }) }),
    'ValidationException',
    'Total size',
  ],
  ['an unknown bus', [{ ...entry, EventBusName: 'cats' }], 'ResourceNotFoundException', 'does not exist'],
])('PutEvents accepts no entry of a call with %s', async (_, Entries, type, message) => {
  const { status, __type, message: text } = await call({ Entries });
  expect([status, __type]).toEqual([400, type]);
  expect(text).toContain(message);
  expect(put).not.toHaveBeenCalled();
});

test('another operation is refused', async () => {
  expect(await call({}, 'PutRule')).toMatchObject({ status: 400, __type: 'UnknownOperationException' });
});
