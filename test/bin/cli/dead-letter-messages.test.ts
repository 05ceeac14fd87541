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

const requestContext = { condition: 'RetriesExhausted', approximateInvokeCount: 3 };
const aged = { condition: 'EventAgeExceeded', approximateInvokeCount: 1 };
const position = { streamArn: 'arn', shardId: 'shard', startSequenceNumber: '7', endSequenceNumber: '7' };
const denied = { TARGET_ARN: 'arn', ERROR_CODE: 'AccessDenied', ERROR_MESSAGE: 'It may not.' };
const tooLong = { TARGET_ARN: 'arn', ERROR_CODE: 'TooLong', ERROR_MESSAGE: 'Too long.' };
const odd = { requestContext, requestPayload: 'x' };
const scheduledTime = '2026-11-21T12:00:00Z';
const placeholder = { scheduledTime: '<aws.scheduler.scheduled-time>' };
const mailOf = (detail: object) => ({ source: 'aws.ses', 'detail-type': 'Email Bounced', detail });
const bounced = mailOf({
  bounce: { bouncedRecipients: [{ emailAddress: 'a@b.example', diagnosticCode: 'smtp; 550' }] },
});
const complained = mailOf({
  complaint: { complainedRecipients: [{ emailAddress: 'a@b.example' }, { emailAddress: 'c@d.example' }] },
});
const reported = mailOf({
  complaint: {
    complainedRecipients: [{ emailAddress: 'a@b.example' }],
    complaintFeedbackType: 'auth-failure',
  },
});

type Parsed = ReturnType<typeof parseMessage>;
const eventOf = (reason: string, of: unknown = event): Parsed => ({ kind: 'event', reason, event: of });
const notification = (reason: string, of: object) => ({ kind: 'notification', reason, event: of }) as Parsed;
const unknown = (reason: string): Parsed => ({ kind: 'unknown', reason });
const unknownFormat = unknown('The format of the message is unknown.');

test.each<[string, Message, Parsed]>([
  [
    'Lambda, with the error of the function',
    messageOf({
      requestContext,
      requestPayload: event,
      responsePayload: { errorType: 'NotYet', errorMessage: 'Not yet.' },
    }),
    eventOf('RetriesExhausted after 3 tries: NotYet: Not yet.'),
  ],
  [
    'Lambda, about a null event with which the function was never invoked',
    messageOf({ requestContext: aged, requestPayload: null, responsePayload: null }),
    eventOf('EventAgeExceeded after 1 try', null),
  ],
  [
    'Lambda, about a stream',
    messageOf({ requestContext, DDBStreamBatchInfo: { ...position, batchSize: 1 } }),
    { kind: 'records', reason: 'RetriesExhausted after 3 tries', positions: position },
  ],
  [
    'EventBridge Scheduler',
    messageOf(event, { ...denied, SCHEDULE_ARN: 'arn', IS_PAYLOAD_TRUNCATED: 'false' }),
    eventOf('AccessDenied: It may not.'),
  ],
  [
    'a rule, about an event that looks like a message of Lambda',
    messageOf(odd, denied),
    eventOf('AccessDenied: It may not.', odd),
  ],
  [
    'EventBridge Scheduler, which has not replaced the placeholder of the scheduled time',
    messageOf(placeholder, { ...denied, SCHEDULED_TIME: scheduledTime }),
    eventOf('AccessDenied: It may not.', { scheduledTime }),
  ],
  [
    'SES, about a bounce',
    messageOf(bounced),
    notification('aws.ses: Email Bounced, a@b.example smtp; 550', bounced),
  ],
  [
    'SES, about a complaint',
    messageOf(complained),
    notification('aws.ses: Email Bounced, a@b.example, c@d.example', complained),
  ],
  [
    'SES, about mail that failed authentication',
    messageOf(reported),
    notification('aws.ses: Email Bounced, a@b.example auth-failure', reported),
  ],
  ['an unknown sender, with nothing', {}, unknownFormat],
  ['an unknown sender, with a document', messageOf(event), unknownFormat],
  ['Lambda, without an event', messageOf({ requestContext }), unknownFormat],
  [
    'a rule, with a truncated event',
    messageOf(event, { ...tooLong, IS_PAYLOAD_TRUNCATED: 'true' }),
    unknown('TooLong: Too long. (The event is truncated.)'),
  ],
  [
    'a rule, with a body that is not JSON',
    messageOf('{', tooLong),
    unknown('TooLong: Too long. (The event is not JSON.)'),
  ],
])('parseMessage reads a message of %s', (_, message, parsed) => {
  expect(parseMessage(message)).toEqual(parsed);
});
