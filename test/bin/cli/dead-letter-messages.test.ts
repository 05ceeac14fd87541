import type { Message } from '@aws-sdk/client-sqs';
import { parseMessage } from '../../../bin/cli/dead-letter-messages.ts';

const event = { dog: 'rex' };

function messageOf(body: unknown, attributes: Record<string, string> = {}): Message {
  return {
    Body: typeof body === 'string' ? body : JSON.stringify(body),
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
    ),
  };
}

const requestContext = {
  requestId: 'c5b0b1c5-6f1c-4b5f-9a0d-6d8a4c1f2b3e',
  functionArn: 'arn:aws:lambda:us-east-1:123456789012:function:dogs:$LATEST',
  condition: 'RetriesExhausted',
  approximateInvokeCount: 3,
};

describe('a message of Lambda', () => {
  const record = { version: '1.0', timestamp: '2026-11-21T12:00:00.000Z', requestContext };

  test('has the event and the error of the function', () => {
    const message = messageOf({
      ...record,
      requestPayload: event,
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: { errorType: 'NotYet', errorMessage: 'Not yet.' },
    });
    expect(parseMessage(message)).toEqual({
      kind: 'event',
      reason: 'RetriesExhausted after 3 tries: NotYet: Not yet.',
      event,
    });
  });

  test('has the event even if the function was never invoked, or the event is null', () => {
    const aged = { ...requestContext, condition: 'EventAgeExceeded', approximateInvokeCount: 1 };
    const body = { ...record, requestContext: aged, requestPayload: null, responsePayload: null };
    expect(parseMessage(messageOf(body))).toEqual({
      kind: 'event',
      reason: 'EventAgeExceeded after 1 try',
      event: null,
    });
  });

  test('has the positions of the records if it is about a stream', () => {
    const position = { streamArn: 'arn', shardId: 'shard', startSequenceNumber: '7', endSequenceNumber: '7' };
    const DDBStreamBatchInfo = { ...position, batchSize: 1, approximateArrivalOfFirstRecord: 'then' };
    expect(parseMessage(messageOf({ ...record, DDBStreamBatchInfo }))).toEqual({
      kind: 'records',
      reason: 'RetriesExhausted after 3 tries',
      positions: position,
    });
  });
});

describe('a message of EventBridge Scheduler or of a rule', () => {
  const attributes = { TARGET_ARN: 'arn', ERROR_CODE: 'AccessDenied', ERROR_MESSAGE: 'It may not.' };

  test.each([
    ['EventBridge Scheduler', { SCHEDULE_ARN: 'arn', IS_PAYLOAD_TRUNCATED: 'false' }],
    ['a rule', { RULE_ARN: 'arn' }],
  ])('has the event in its body: %s', (_, more) => {
    expect(parseMessage(messageOf(event, { ...attributes, ...more }))).toEqual({
      kind: 'event',
      reason: 'AccessDenied: It may not.',
      event,
    });
  });

  test('has the event even if the event looks like a message of Lambda', () => {
    const odd = { requestContext, requestPayload: 'x' };
    expect(parseMessage(messageOf(odd, attributes))).toMatchObject({ kind: 'event', event: odd });
  });

  test('has the scheduled time, even if EventBridge Scheduler has not replaced the placeholder', () => {
    const scheduledTime = '2026-11-21T12:00:00Z';
    const body = { scheduledTime: '<aws.scheduler.scheduled-time>' };
    const message = messageOf(body, { ...attributes, SCHEDULED_TIME: scheduledTime });
    expect(parseMessage(message)).toMatchObject({ event: { scheduledTime } });
  });
});

test('an event of a rule is a notification', () => {
  const bounce = { source: 'aws.ses', 'detail-type': 'Email Bounced', detail: { bounce: {} }, region: 'x' };
  expect(parseMessage(messageOf(bounce))).toEqual({
    kind: 'notification',
    reason: 'aws.ses: Email Bounced',
    event: bounce,
  });
});

describe('parseMessage returns no event for', () => {
  const attributes = { TARGET_ARN: 'arn', ERROR_CODE: 'TooLong', ERROR_MESSAGE: 'Too long.' };

  test.each<[string, Message, string]>([
    ['a text', messageOf('Wau'), 'The format of the message is unknown.'],
    ['nothing', {}, 'The format of the message is unknown.'],
    ['an unknown document', messageOf(event), 'The format of the message is unknown.'],
    [
      'a request context without an event',
      messageOf({ requestContext }),
      'The format of the message is unknown.',
    ],
    [
      'a truncated event',
      messageOf(event, { ...attributes, IS_PAYLOAD_TRUNCATED: 'true' }),
      'TooLong: Too long. (The event is truncated.)',
    ],
    [
      'a dead-letter message that is not JSON',
      messageOf('{', attributes),
      'TooLong: Too long. (The event is not JSON.)',
    ],
  ])('%s', (_, message, reason) => {
    expect(parseMessage(message)).toEqual({ kind: 'unknown', reason });
  });
});

test.each([
  [
    { bounce: { bouncedRecipients: [{ emailAddress: 'a@b.example', diagnosticCode: 'smtp; 550' }] } },
    'aws.ses: Email Bounced, a@b.example smtp; 550',
  ],
  [
    {
      complaint: { complainedRecipients: [{ emailAddress: 'a@b.example' }, { emailAddress: 'c@d.example' }] },
    },
    'aws.ses: Email Bounced, a@b.example, c@d.example',
  ],
])('a notification about mail names the recipients: %j', (detail, reason) => {
  const event = { source: 'aws.ses', 'detail-type': 'Email Bounced', detail };
  expect(parseMessage({ Body: JSON.stringify(event) })).toMatchObject({ kind: 'notification', reason });
});
