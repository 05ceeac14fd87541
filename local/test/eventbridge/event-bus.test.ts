import { EventBus } from '../../eventbridge/event-bus.ts';
import { arn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();

type Put = (functionArn: string, event: unknown) => void;

const put = jest.fn<void, Parameters<Put>>();
const putLog = jest.fn<void, [groupName: string, message: string]>();
beforeEach(() => {
  put.mockReset();
  putLog.mockReset();
});

const functionArn = arn('lambda', 'function:Target');
const queueArn = arn('sqs', 'Stack-Queue');
const pattern = { source: ['aws.states'], detail: { status: ['FAILED', 'TIMED_OUT'] } };
const event = { source: 'aws.states', 'detail-type': 'End', detail: { status: 'FAILED', input: '{}' } };

function templateOf(EventPattern: object, target: object = {}): Template {
  const Properties = { EventPattern, Targets: [{ Id: 'Target0', Arn: functionArn, ...target }] };
  const Resources = { Rule: { Type: 'AWS::Events::Rule', Properties }, Queue: { Type: 'AWS::SQS::Queue' } };
  return new Template({ Resources }, 'Stack');
}

function busOf(EventPattern: object = pattern, target: object = {}): EventBus {
  const template = templateOf(EventPattern, target);
  const { deadLetterQueues } = cloud.queues(template);
  return new EventBus(template, {
    invocations: { put },
    deadLetterQueues,
    logs: { put: putLog },
  });
}

const tags = { detail: { tags: { set: ['a', 'b'] } } };
const tagged = (...set: string[]) => ({ ...event, detail: { tags: { set } } });
const bounce = { detail: { bounce: { type: ['Permanent', { exists: false }] } } };
const bounced = (detail: object) => ({ ...event, detail });
const noCode = { source: [{ prefix: 'aws.' }], detail: { error: { code: [{ exists: false }] } } };

test.each<[what: string, EventPattern: object, matching: object[], others: object[]]>([
  [
    'has the source and the value of the event',
    pattern,
    [event],
    [
      { ...event, source: 'aws.ec2' },
      { ...event, detail: { status: 'SUCCEEDED' } },
      { ...event, detail: {} },
    ],
  ],
  ['has one of the items of a list', tags, [tagged('x', 'b')], [tagged('x', 'y'), tagged()]],
  [
    'has a field or must not have it',
    bounce,
    [bounced({}), bounced({ bounce: {} }), bounced({ bounce: { type: 'Permanent' } })],
    ['Transient', null, []].map((type) => bounced({ bounce: { type } })),
  ],
  [
    'has a prefix, and must not have a field',
    noCode,
    [event, bounced({ error: {} })],
    [bounced({ error: { code: 7 } }), { ...event, source: 'dogs' }],
  ],
])('A pattern %s', (_, EventPattern, matching, others) => {
  const bus = busOf(EventPattern);
  for (const one of [...matching, ...others]) bus.put(one as typeof event);
  expect(put.mock.calls).toEqual(matching.map((one) => [functionArn, one]));
});

test('EventBus.deploy replaces the rules', () => {
  const bus = busOf();
  bus.deploy(templateOf({ source: ['aws.ses'] }));
  bus.put(event);
  expect(put).not.toHaveBeenCalled();
  bus.put({ ...event, source: 'aws.ses' });
  expect(put).toHaveBeenCalledTimes(1);
});

test('An event for a queue arrives there unchanged', () => {
  busOf(pattern, { Arn: queueArn }).put(event);
  expect(cloud.messagesIn(queueArn)).toEqual([{ body: JSON.stringify(event), attributes: {} }]);
  expect(put).not.toHaveBeenCalled();
});

test('An event for a log group is added as JSON', () => {
  busOf(pattern, { Arn: arn('logs', 'log-group:/aws/events/Stack') }).put(event);
  expect(putLog.mock.calls).toEqual([['/aws/events/Stack', JSON.stringify(event)]]);
});

test('An event reaches only the rules of its bus', () => {
  const bus = busOf();
  expect([bus.has('default'), bus.has('other')]).toEqual([true, false]);
  bus.put(event, 'other');
  expect(put).not.toHaveBeenCalled();
});

describe('An event that cannot be delivered', () => {
  beforeEach(() => {
    put.mockImplementation(() => {
      throw Object.assign(new Error('Function not found: it'), { name: 'ResourceNotFoundException' });
    });
  });

  test('goes to the dead-letter queue of the target with the reason', () => {
    busOf(pattern, { DeadLetterConfig: { Arn: queueArn } }).put(event);
    const attributes = {
      RULE_ARN: arn('events', 'rule/Stack-Rule'),
      TARGET_ARN: functionArn,
      ERROR_CODE: 'ResourceNotFoundException',
      ERROR_MESSAGE: 'Function not found: it',
    };
    expect(cloud.messagesIn(queueArn)).toContainEqual({ body: JSON.stringify(event), attributes });
  });

  test('is logged if there is no dead-letter queue', () => {
    busOf().put(event);
    expect(cloud.logged).toContain('An event could not be delivered: Function not found: it');
  });
});

test('An event that the disk has no space for is refused, so that its sender repeats it', () => {
  put.mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  });
  expect(() => busOf().put(event)).toThrow('database or disk is full');
});

test.each([
  ['a numeric pattern', { detail: { size: [{ numeric: ['>', 7] }] } }, {}],
  ['a pattern with two operators', { source: [{ prefix: 'aws.', exists: true }] }, {}],
  ['a target that is not a function', pattern, { Arn: arn('sns', 'topic') }],
  ['an input of its own', pattern, { Input: '{}' }],
])('A rule with %s is refused when it is loaded', (_, EventPattern, target) => {
  expect(() => busOf(EventPattern, target)).toThrow(/^Rule: the local cloud/);
});
