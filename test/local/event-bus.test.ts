import { jest } from '@jest/globals';
import { EventBus } from '../../local/event-bus.ts';
import { arn, Template } from '../../local/template.ts';

jest.spyOn(console, 'log').mockImplementation(() => {});

type Invoke = (functionArn: string, event: unknown) => Promise<unknown>;

const functionArn = arn('lambda', 'function:Target');
const pattern = { source: ['aws.states'], detail: { status: ['FAILED', 'TIMED_OUT'] } };
const event = { source: 'aws.states', 'detail-type': 'End', detail: { status: 'FAILED', input: '{}' } };

function busOf(EventPattern: object, invoke: Invoke, target: object = {}): EventBus {
  const Properties = { EventPattern, Targets: [{ Id: 'Target0', Arn: functionArn, ...target }] };
  return new EventBus(
    new Template({ Resources: { Rule: { Type: 'AWS::Events::Rule', Properties } } }, 'Stack'),
    invoke,
  );
}

test('An event that the pattern matches is handed over whole', async () => {
  const invoke = jest.fn<Invoke>().mockResolvedValue(null);
  await busOf(pattern, invoke).put(event);
  expect(invoke.mock.calls).toEqual([[functionArn, event]]);
});

test.each([
  ['another source', { ...event, source: 'aws.ec2' }],
  ['another value', { ...event, detail: { status: 'SUCCEEDED' } }],
  ['no such field', { ...event, detail: {} }],
])('An event with %s goes nowhere', async (_, other) => {
  const invoke = jest.fn<Invoke>().mockResolvedValue(null);
  await busOf(pattern, invoke).put(other);
  expect(invoke).not.toHaveBeenCalled();
});

test('A target that fails is tried again', async () => {
  const invoke = jest.fn<Invoke>().mockRejectedValueOnce(new Error('Not yet')).mockResolvedValue(null);
  await busOf(pattern, invoke).put(event);
  expect(invoke).toHaveBeenCalledTimes(2);
});

test.each([
  ['a pattern by prefix', { source: [{ prefix: 'aws.' }] }, {}],
  ['a target that is no function', pattern, { Arn: arn('sqs', 'queue') }],
  ['an input of its own', pattern, { Input: '{}' }],
])('A rule with %s is refused when it is loaded', (_, EventPattern, target) => {
  expect(() => busOf(EventPattern, async () => null, target)).toThrow(/^Rule: this machine/);
});
