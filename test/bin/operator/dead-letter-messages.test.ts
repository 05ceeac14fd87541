import type { Message } from '@aws-sdk/client-sqs';
import { letterOf } from '../../../bin/operator/dead-letter-messages.ts';

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

describe('What Lambda has given up', () => {
  const record = { version: '1.0', timestamp: '2026-11-21T12:00:00.000Z', requestContext };

  test('has the event, and what the function answered', () => {
    const message = messageOf({
      ...record,
      requestPayload: event,
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: { errorType: 'NotYet', errorMessage: 'Not yet.' },
    });
    expect(letterOf(message)).toEqual({
      kind: 'event',
      why: 'RetriesExhausted after 3 tries: NotYet: Not yet.',
      event,
    });
  });

  test('has the event although the function was never called, or the event is null', () => {
    const aged = { ...requestContext, condition: 'EventAgeExceeded', approximateInvokeCount: 1 };
    const body = { ...record, requestContext: aged, requestPayload: null, responsePayload: null };
    expect(letterOf(messageOf(body))).toEqual({
      kind: 'event',
      why: 'EventAgeExceeded after 1 try',
      event: null,
    });
  });

  test('of a stream tells where the record is', () => {
    const place = { streamArn: 'arn', shardId: 'shard', startSequenceNumber: '7', endSequenceNumber: '7' };
    const DDBStreamBatchInfo = { ...place, batchSize: 1, approximateArrivalOfFirstRecord: 'then' };
    expect(letterOf(messageOf({ ...record, DDBStreamBatchInfo }))).toEqual({
      kind: 'record',
      why: 'RetriesExhausted after 3 tries',
      place,
    });
  });
});

describe('What was never handed over', () => {
  const attributes = { TARGET_ARN: 'arn', ERROR_CODE: 'AccessDenied', ERROR_MESSAGE: 'It may not.' };

  test.each([
    ['by the scheduler', { SCHEDULE_ARN: 'arn', IS_PAYLOAD_TRUNCATED: 'false' }],
    ['by a rule', { RULE_ARN: 'arn' }],
  ])('%s is the event itself', (_, more) => {
    expect(letterOf(messageOf(event, { ...attributes, ...more }))).toEqual({
      kind: 'event',
      why: 'AccessDenied: It may not.',
      event,
    });
  });

  test('is the event even where that looks like what Lambda has given up', () => {
    const odd = { requestContext, requestPayload: 'x' };
    expect(letterOf(messageOf(odd, attributes))).toMatchObject({ kind: 'event', event: odd });
  });

  test('has the time of its slot, whether the scheduler has put it in or not', () => {
    const scheduledTime = '2026-11-21T12:00:00Z';
    const body = { scheduledTime: '<aws.scheduler.scheduled-time>' };
    const message = messageOf(body, { ...attributes, SCHEDULED_TIME: scheduledTime });
    expect(letterOf(message)).toMatchObject({ event: { scheduledTime } });
  });
});

test('What a rule has put there for people to read is told by what it is', () => {
  const bounce = { source: 'aws.ses', 'detail-type': 'Email Bounced', detail: { bounce: {} }, region: 'x' };
  expect(letterOf(messageOf(bounce))).toEqual({
    kind: 'notice',
    why: 'aws.ses: Email Bounced',
    event: bounce,
  });
});

describe('There is no event in', () => {
  const attributes = { TARGET_ARN: 'arn', ERROR_CODE: 'TooLong', ERROR_MESSAGE: 'Too long.' };

  test.each<[string, Message, string]>([
    ['a text', messageOf('Wau'), 'It is not known what the message means.'],
    ['nothing', {}, 'It is not known what the message means.'],
    ['a document that nobody has given up', messageOf(event), 'It is not known what the message means.'],
    ['an answer alone', messageOf({ requestContext }), 'It is not known what the message means.'],
    [
      'several records',
      messageOf({
        requestContext,
        DDBStreamBatchInfo: {
          streamArn: 'arn',
          shardId: 'shard',
          startSequenceNumber: '7',
          endSequenceNumber: '9',
        },
      }),
      'It is not known what the message means.',
    ],
    [
      'a part of an event',
      messageOf(event, { ...attributes, IS_PAYLOAD_TRUNCATED: 'true' }),
      'TooLong: Too long. (The event is not whole.)',
    ],
    [
      'a dead letter that is not JSON',
      messageOf('{', attributes),
      'TooLong: Too long. (The event is not JSON.)',
    ],
  ])('%s', (_, message, why) => {
    expect(letterOf(message)).toEqual({ kind: 'unknown', why });
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
])('Mail that came back tells whose it was: %j', (detail, why) => {
  const event = { source: 'aws.ses', 'detail-type': 'Email Bounced', detail };
  expect(letterOf({ Body: JSON.stringify(event) })).toMatchObject({ kind: 'notice', why });
});
