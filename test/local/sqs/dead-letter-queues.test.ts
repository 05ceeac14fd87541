import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { DeadLetterQueues } from '../../../local/sqs/dead-letter-queues.ts';
import type { Queues } from '../../../local/sqs/queues.ts';
import { arn } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { deadLetterMessagesIn, openQueues } from '../../support/queues.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
const root = mkdtempSync(join(tmpdir(), 'letters-'));
afterAll(() => rmSync(root, { recursive: true }));

const template = new Template(
  {
    Resources: {
      Unsettled: {
        Type: 'AWS::SQS::Queue',
        Properties: { QueueName: 'unsettled-barks' },
        Metadata: { 'aws:cdk:path': 'Stack/BarkWorkflow/Unsettled/Resource' },
      },
      Other: { Type: 'AWS::SQS::Queue' },
    },
  },
  'Stack',
);
const unsettled = arn('sqs', 'unsettled-barks');
const other = arn('sqs', 'Stack-Other');

let directory: string;
let queues: Queues;
let letters: DeadLetterQueues;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
  ({ queues, deadLetterQueues: letters } = openQueues(template, directory));
  logged.mockClear();
});
afterEach(async () => {
  // What is told is told a turn later.
  await turn();
  queues.stop();
});

test('What could not be done lies in its queue, with what is known of it', () => {
  letters.put(unsettled, '{"a":1}');
  letters.put(unsettled, '{"a":2}', { ERROR_CODE: 'Gone' });
  letters.put(other, '{}');
  expect(deadLetterMessagesIn(directory, unsettled)).toEqual([
    { body: '{"a":1}', attributes: {} },
    { body: '{"a":2}', attributes: { ERROR_CODE: 'Gone' } },
  ]);
  expect(deadLetterMessagesIn(directory, other)).toEqual([{ body: '{}', attributes: {} }]);
});

test('The terminal shows which queue has messages, in one line for many at once', async () => {
  letters.put(unsettled, '{}');
  await turn();
  letters.put(unsettled, '{}');
  letters.put(unsettled, '{}');
  await turn();
  expect(logged.mock.calls).toEqual([
    ['The queue Unsettled has a new message.'],
    ['The queue Unsettled has 2 new messages.'],
  ]);
});

test('The line about new messages ends with the command of the service that shows them', async () => {
  new DeadLetterQueues(queues, { showQueue: (name) => `show ${name}` }).put(unsettled, '{}');
  await turn();
  expect(logged.mock.calls).toEqual([['The queue Unsettled has a new message: show Unsettled']]);
});

test('A queue that is not in the template is an error', () => {
  expect(letters.has(unsettled)).toBe(true);
  expect(letters.has(arn('sqs', 'unknown'))).toBe(false);
  expect(() => letters.put(arn('sqs', 'unknown'), '{}')).toThrow(
    'There is no queue arn:aws:sqs:us-east-1:000000000000:unknown.',
  );
});
