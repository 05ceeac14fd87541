import {
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { Message } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { jsonOf } from '../../lambdas/domain/platform/json.ts';
import { isShallow } from './responses.ts';

/**
 * A parsed message from a dead-letter queue, with the reason why the sender put it there.
 *
 * - `event`: a function failed to process an event, or EventBridge Scheduler or a rule could not deliver it. The message
 *   contains the event.
 * - `records`: a function failed to process stream records. The message contains their positions.
 * - `notification`: a rule sent an event for the operator to read. No function can process it.
 * - `unknown`: the message has none of these forms, or its event is truncated or not JSON.
 */
export type DeadLetterMessage =
  | { readonly kind: 'event'; readonly reason: string; readonly event: unknown }
  | { readonly kind: 'notification'; readonly reason: string; readonly event: unknown }
  | { readonly kind: 'records'; readonly reason: string; readonly positions: Positions }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Positions {
  readonly streamArn: string;
  readonly shardId: string;
  readonly startSequenceNumber: string;
  readonly endSequenceNumber: string;
}

export class CannotRedrive extends Error {
  override readonly name = 'CannotRedrive';
}

const InvocationContext = v.object({ condition: v.string(), approximateInvokeCount: v.number() });

/** What Lambda sends to the destination of a failed asynchronous invocation. */
const FailedInvocation = v.object({
  requestContext: InvocationContext,
  requestPayload: v.unknown(),
  responsePayload: v.optional(v.unknown()),
});

/** What Lambda sends to the destination of an event source mapping. */
const FailedBatch = v.object({
  requestContext: InvocationContext,
  DDBStreamBatchInfo: v.object({
    streamArn: v.string(),
    shardId: v.string(),
    startSequenceNumber: v.string(),
    endSequenceNumber: v.string(),
  }),
});

const BusEvent = v.object({ source: v.string(), 'detail-type': v.string(), detail: v.unknown() });

/** The attributes that EventBridge Scheduler and rules add to a dead-letter message, whose body is the event. */
const DeadLetterAttributes = v.object({
  TARGET_ARN: v.string(),
  ERROR_CODE: v.string(),
  ERROR_MESSAGE: v.optional(v.string(), ''),
  IS_PAYLOAD_TRUNCATED: v.optional(v.string()),
  SCHEDULED_TIME: v.optional(v.string()),
});

export function parseMessage({ Body = '', MessageAttributes = {} }: Message): DeadLetterMessage {
  const attributes = v.safeParse(
    DeadLetterAttributes,
    Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]),
    ),
  );
  if (attributes.success) return parseUndelivered(Body, attributes.output);
  const document = documentIn(Body);
  const invocation = v.safeParse(FailedInvocation, document);
  if (invocation.success) {
    const { requestPayload: event, responsePayload } = invocation.output;
    const thrown = responsePayload ? `: ${describeError(responsePayload)}` : '';
    return { kind: 'event', reason: `${reasonOfLambda(invocation.output)}${thrown}`, event };
  }
  const batch = v.safeParse(FailedBatch, document);
  if (batch.success)
    return {
      kind: 'records',
      reason: reasonOfLambda(batch.output),
      positions: batch.output.DDBStreamBatchInfo,
    };
  const event = v.safeParse(BusEvent, document);
  if (event.success)
    return { kind: 'notification', reason: reasonOfNotification(event.output), event: document };
  return { kind: 'unknown', reason: 'The format of the message is unknown.' };
}

function parseUndelivered(
  body: string,
  {
    ERROR_CODE,
    ERROR_MESSAGE,
    IS_PAYLOAD_TRUNCATED,
    SCHEDULED_TIME,
  }: v.InferOutput<typeof DeadLetterAttributes>,
): DeadLetterMessage {
  const reason = `${ERROR_CODE}: ${ERROR_MESSAGE}`;
  if (IS_PAYLOAD_TRUNCATED === 'true')
    return { kind: 'unknown', reason: `${reason} (The event is truncated.)` };
  // AWS does not document whether EventBridge Scheduler replaces the placeholder before it sends the dead-letter message.
  const event = documentIn(
    body.replaceAll('<aws.scheduler.scheduled-time>', (name) => SCHEDULED_TIME ?? name),
  );
  return event === undefined
    ? { kind: 'unknown', reason: `${reason} (The event is not JSON.)` }
    : { kind: 'event', reason, event };
}

const Thrown = v.object({ errorType: v.string(), errorMessage: v.string() });

function describeError(payload: unknown): string {
  const thrown = v.safeParse(Thrown, payload);
  return thrown.success
    ? `${thrown.output.errorType}: ${thrown.output.errorMessage}`
    : JSON.stringify(payload);
}

const Feedback = v.object({
  bounce: v.optional(
    v.object({
      bouncedRecipients: v.array(
        v.object({ emailAddress: v.string(), diagnosticCode: v.optional(v.string(), '') }),
      ),
    }),
  ),
  complaint: v.optional(
    v.object({
      complainedRecipients: v.array(v.object({ emailAddress: v.string() })),
      complaintFeedbackType: v.optional(v.string(), ''),
    }),
  ),
});

function reasonOfNotification({
  source,
  detail,
  'detail-type': type,
}: v.InferOutput<typeof BusEvent>): string {
  const feedback = v.safeParse(Feedback, detail);
  const { bounce, complaint } = feedback.success ? feedback.output : {};
  const recipients = [
    ...(bounce?.bouncedRecipients ?? []).map(({ emailAddress, diagnosticCode }) =>
      `${emailAddress} ${diagnosticCode}`.trim(),
    ),
    ...(complaint?.complainedRecipients ?? []).map(({ emailAddress }) =>
      `${emailAddress} ${complaint?.complaintFeedbackType}`.trim(),
    ),
  ];
  return [`${source}: ${type}`, ...recipients].join(', ');
}

function reasonOfLambda({
  requestContext,
}: {
  requestContext: v.InferOutput<typeof InvocationContext>;
}): string {
  const { condition, approximateInvokeCount: tries } = requestContext;
  return `${condition} after ${tries} ${tries === 1 ? 'try' : 'tries'}`;
}

/** Returns undefined if the text is not JSON, or is nested too deeply to be an event. */
function documentIn(text: string): unknown {
  const document = jsonOf(text);
  return isShallow(document) ? document : undefined;
}

/**
 * Returns the event to redrive. If the message contains only positions, reads the records from the stream.
 *
 * @throws CannotRedrive if the message is a notification, if its event is unknown, or if the stream no longer has the records
 */
export async function eventOf(message: DeadLetterMessage, streams: DynamoDBStreamsClient): Promise<unknown> {
  if (message.kind === 'unknown') throw new CannotRedrive(message.reason);
  if (message.kind === 'notification')
    throw new CannotRedrive(
      'The message is a notification. After you have read it, delete it with "npx dogs queues delete".',
    );
  if (message.kind === 'event') return message.event;
  const records = await findRecords(message.positions, streams);
  if (records) return { Records: records.map((record) => eventRecord(record, message.positions)) };
  throw new CannotRedrive(
    'The stream no longer contains the records. For PurgeDlq, run "npx dogs orphans purge" instead. Then delete the message with "npx dogs queues delete".',
  );
}

/** One read may not suffice, because a response can be empty even if the shard contains the records. */
const maxReads = 20;

/**
 * Returns the records from the first to the last position, or undefined if they cannot be found. A stream keeps records for one
 * day.
 */
async function findRecords(
  { streamArn: StreamArn, shardId: ShardId, startSequenceNumber, endSequenceNumber }: Positions,
  streams: DynamoDBStreamsClient,
): Promise<StreamRecord[] | undefined> {
  const found: StreamRecord[] = [];
  try {
    let { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn,
        ShardId,
        SequenceNumber: startSequenceNumber,
        ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      }),
    );
    const isSingle = startSequenceNumber === endSequenceNumber;
    for (let reads = 0; ShardIterator && reads < maxReads; reads++) {
      const { Records = [], NextShardIterator } = await streams.send(
        new GetRecordsCommand({ ShardIterator, ...(isSingle && { Limit: 1 }) }),
      );
      found.push(...Records);
      if (found[0] && found[0].dynamodb?.SequenceNumber !== startSequenceNumber) return undefined;
      const last = found.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === endSequenceNumber);
      if (last >= 0) return found.slice(0, last + 1);
      ShardIterator = NextShardIterator;
    }
    return undefined;
  } catch (error) {
    if (error instanceof TrimmedDataAccessException || error instanceof ResourceNotFoundException)
      return undefined;
    throw error;
  }
}

/** Returns a record as Lambda passes it to a function. */
function eventRecord(record: StreamRecord, { streamArn }: Positions): object {
  const created = record.dynamodb?.ApproximateCreationDateTime;
  return {
    ...record,
    dynamodb: {
      ...record.dynamodb,
      ...(created && { ApproximateCreationDateTime: Math.floor(created.getTime() / 1000) }),
    },
    eventSourceARN: streamArn,
  };
}
