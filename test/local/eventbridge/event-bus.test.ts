import { EventBus } from '../../../local/eventbridge/event-bus.ts';
import { arn } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { useTestCloud } from '../../support/emulators.ts';

const cloud = useTestCloud();

type Put = (functionArn: string, event: unknown) => void;

const putLog = jest.fn<void, [groupName: string, message: string]>();

const functionArn = arn('lambda', 'function:Target');
const queueArn = arn('sqs', 'Stack-Queue');
const pattern = { source: ['aws.states'], detail: { status: ['FAILED', 'TIMED_OUT'] } };
const event = { source: 'aws.states', 'detail-type': 'End', detail: { status: 'FAILED', input: '{}' } };

function templateOf(EventPattern: object, target: object = {}): Template {
  const Properties = { EventPattern, Targets: [{ Id: 'Target0', Arn: functionArn, ...target }] };
  const Resources = { Rule: { Type: 'AWS::Events::Rule', Properties }, Queue: { Type: 'AWS::SQS::Queue' } };
  return new Template({ Resources }, 'Stack');
}

function busOf(EventPattern: object, put: Put, target: object = {}): EventBus {
  const template = templateOf(EventPattern, target);
  const { deadLetterQueues } = cloud.queues(template);
  return new EventBus(template, {
    invocations: { put },
    deadLetterQueues,
    logEvents: { put: putLog, batch: (work) => work() },
  });
}

test('An event that the pattern matches is delivered unchanged', () => {
  const put = jest.fn<void, Parameters<Put>>();
  busOf(pattern, put).put(event);
  expect(put.mock.calls).toEqual([[functionArn, event]]);
});

test.each([
  ['another source', { ...event, source: 'aws.ec2' }],
  ['another value', { ...event, detail: { status: 'SUCCEEDED' } }],
  ['no such field', { ...event, detail: {} }],
])('An event with %s is not delivered', (_, other) => {
  const put = jest.fn<void, Parameters<Put>>();
  busOf(pattern, put).put(other);
  expect(put).not.toHaveBeenCalled();
});

test('EventBus.deploy replaces the rules', () => {
  const put = jest.fn<void, Parameters<Put>>();
  const bus = busOf(pattern, put);
  bus.deploy(templateOf({ source: ['aws.ses'] }));
  bus.put(event);
  expect(put).not.toHaveBeenCalled();
  bus.put({ ...event, source: 'aws.ses' });
  expect(put).toHaveBeenCalledTimes(1);
});

test('A list in an event matches if one of its items matches', () => {
  const put = jest.fn<void, Parameters<Put>>();
  const bus = busOf({ detail: { tags: { set: ['a', 'b'] } } }, put);
  bus.put({ ...event, detail: { tags: { set: ['x', 'b'] } } });
  bus.put({ ...event, detail: { tags: { set: ['x', 'y'] } } });
  bus.put({ ...event, detail: { tags: { set: [] } } });
  expect(put).toHaveBeenCalledTimes(1);
});

test('A field that must not exist matches only if the event lacks it', () => {
  const put = jest.fn<void, Parameters<Put>>();
  const bus = busOf({ detail: { bounce: { type: ['Permanent', { exists: false }] } } }, put);
  for (const detail of [{}, { bounce: {} }, { bounce: { type: 'Permanent' } }]) bus.put({ ...event, detail });
  expect(put).toHaveBeenCalledTimes(3);
  for (const type of ['Transient', null, []]) bus.put({ ...event, detail: { bounce: { type } } });
  expect(put).toHaveBeenCalledTimes(3);
});

test('An event for a queue arrives there unchanged', () => {
  const put = jest.fn<void, Parameters<Put>>();
  const bus = busOf(pattern, put, { Arn: queueArn });
  bus.put(event);
  expect(cloud.messagesIn(queueArn)).toEqual([{ body: JSON.stringify(event), attributes: {} }]);
  expect(put).not.toHaveBeenCalled();
});

test('A prefix and the absence of a field match', () => {
  const put = jest.fn<void, Parameters<Put>>();
  const bus = busOf({ source: [{ prefix: 'aws.' }], detail: { error: { code: [{ exists: false }] } } }, put);
  bus.put(event);
  bus.put({ ...event, detail: { error: {} } });
  bus.put({ ...event, detail: { error: { code: 7 } } });
  bus.put({ ...event, source: 'dogs' });
  expect(put).toHaveBeenCalledTimes(2);
});

test('An event reaches only the rules of its bus', () => {
  const put = jest.fn<void, Parameters<Put>>();
  const bus = busOf(pattern, put);
  expect([bus.has('default'), bus.has('other')]).toEqual([true, false]);
  bus.put(event, 'other');
  expect(put).not.toHaveBeenCalled();
});

test('An event for a log group is added as JSON', () => {
  const bus = busOf(pattern, () => {}, { Arn: arn('logs', 'log-group:/aws/events/Stack') });
  bus.put(event);
  expect(putLog.mock.calls).toEqual([['/aws/events/Stack', JSON.stringify(event)]]);
});

describe('An event that cannot be delivered', () => {
  const refuse: Put = () => {
    throw Object.assign(new Error('Function not found: it'), { name: 'ResourceNotFoundException' });
  };

  test('goes to the dead-letter queue of the target with the reason', () => {
    busOf(pattern, refuse, { DeadLetterConfig: { Arn: queueArn } }).put(event);
    const attributes = {
      RULE_ARN: arn('events', 'rule/Stack-Rule'),
      TARGET_ARN: functionArn,
      ERROR_CODE: 'ResourceNotFoundException',
      ERROR_MESSAGE: 'Function not found: it',
    };
    expect(cloud.messagesIn(queueArn)).toContainEqual({
      body: JSON.stringify(event),
      attributes,
    });
  });

  test('is logged if there is no dead-letter queue', () => {
    busOf(pattern, refuse).put(event);
    expect(cloud.logged).toContain('An event could not be delivered: Function not found: it');
  });
});

test.each([
  ['a numeric pattern', { detail: { size: [{ numeric: ['>', 7] }] } }, {}],
  ['a pattern with two operators', { source: [{ prefix: 'aws.', exists: true }] }, {}],
  ['a target that is not a function', pattern, { Arn: arn('sns', 'topic') }],
  ['an input of its own', pattern, { Input: '{}' }],
])('A rule with %s is refused when it is loaded', (_, EventPattern, target) => {
  expect(() => busOf(EventPattern, () => {}, target)).toThrow(/^Rule: the local cloud/);
});
