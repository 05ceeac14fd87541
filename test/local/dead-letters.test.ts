import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { DeadLetters } from '../../local/dead-letters.ts';
import { arn, Template } from '../../local/template.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
const root = mkdtempSync(join(tmpdir(), 'letters-'));
afterAll(() => rmSync(root, { recursive: true }));

const template = new Template(
  {
    Resources: {
      Unsettled: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'unsettled' } },
      Other: { Type: 'AWS::SQS::Queue' },
    },
  },
  'Stack',
);
const unsettled = arn('sqs', 'unsettled');

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(root, 'data-')), 'queues');
  logged.mockClear();
});
// What is told is told a turn later.
afterEach(() => turn());

function linesOf(queue: string): object[] {
  const text = readFileSync(join(directory, `${queue}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('A message is a line in the file of its queue, which its owner alone can read', () => {
  const letters = new DeadLetters(template, directory);
  letters.put(unsettled, '{"a":1}');
  letters.put(unsettled, '{"a":2}', { ERROR_CODE: 'Gone' });
  letters.put(arn('sqs', 'Stack-Other'), '{}');
  const messageId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const at = expect.any(Number);
  expect(linesOf('unsettled')).toEqual([
    { messageId, at, body: '{"a":1}' },
    { messageId, at, body: '{"a":2}', attributes: { ERROR_CODE: 'Gone' } },
  ]);
  expect(linesOf('Stack-Other')).toEqual([{ messageId, at, body: '{}' }]);
  expect(statSync(join(directory, 'unsettled.jsonl')).mode & 0o777).toBe(0o600);
});

test('The person at the terminal is told which queue has messages, and where: one line for many at once', async () => {
  const letters = new DeadLetters(template, directory);
  const file = join(directory, 'unsettled.jsonl');
  letters.put(unsettled, '{}');
  await turn();
  letters.put(unsettled, '{}');
  letters.put(unsettled, '{}');
  await turn();
  expect(logged.mock.calls).toEqual([
    [`The queue unsettled has a new message: ${file}`],
    [`The queue unsettled has 2 new messages: ${file}`],
  ]);
});

test('What was there stays, and a line that was torn does not take the next one with it', () => {
  new DeadLetters(template, directory).put(unsettled, '{"a":1}');
  appendFileSync(join(directory, 'unsettled.jsonl'), '{"messageId":');
  new DeadLetters(template, directory).put(unsettled, '{"a":2}');
  const lines = readFileSync(join(directory, 'unsettled.jsonl'), 'utf8').split('\n');
  expect(lines).toEqual([
    expect.stringContaining('{\\"a\\":1}'),
    '{"messageId":',
    expect.stringContaining('{\\"a\\":2}'),
    '',
  ]);
});

test('A queue that is not in the template is an error', () => {
  const letters = new DeadLetters(template, directory);
  expect(letters.has(unsettled)).toBe(true);
  expect(letters.has(arn('sqs', 'unknown'))).toBe(false);
  expect(() => letters.put(arn('sqs', 'unknown'), '{}')).toThrow(
    'There is no queue arn:aws:sqs:us-east-1:000000000000:unknown.',
  );
});
