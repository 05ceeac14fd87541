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

/**
 * What a message of a queue stands for, and why it lies there, in the words of whoever put it there. `event`: Lambda, the
 * scheduler or a rule gave an event up, and the message has it. `record`: Lambda gave a record of a stream up, and the
 * message tells where in the stream it is. `notice`: an event that a rule has put there for people to read. `unknown`: it is
 * none of these.
 */
export type Letter =
  | { readonly kind: 'event'; readonly why: string; readonly event: unknown }
  | { readonly kind: 'notice'; readonly why: string; readonly event: unknown }
  | { readonly kind: 'record'; readonly why: string; readonly place: Place }
  | { readonly kind: 'unknown'; readonly why: string };

/** Where in a stream a record is. */
interface Place {
  readonly streamArn: string;
  readonly shardId: string;
  readonly startSequenceNumber: string;
}

/** There is nothing to send again. */
export class NoEvent extends Error {
  override readonly name = 'NoEvent';
}

const RequestContext = v.object({ condition: v.string(), approximateInvokeCount: v.number() });

/** What Lambda sends to the destination of an asynchronous invocation that failed. */
const FailedInvocation = v.object({
  requestContext: RequestContext,
  requestPayload: v.unknown(),
  responsePayload: v.optional(v.unknown()),
});

/** What Lambda sends to the destination of a stream. The records themselves are not in it; here a batch is one record. */
const FailedBatch = v.object({
  requestContext: RequestContext,
  DDBStreamBatchInfo: v.pipe(
    v.object({
      streamArn: v.string(),
      shardId: v.string(),
      startSequenceNumber: v.string(),
      endSequenceNumber: v.string(),
    }),
    v.check(({ startSequenceNumber, endSequenceNumber }) => startSequenceNumber === endSequenceNumber),
  ),
});

/** An event of EventBridge. */
const BusEvent = v.object({ source: v.string(), 'detail-type': v.string(), detail: v.unknown() });

/** The attributes that the scheduler and the rules give their dead letters, whose body is the event. */
const DeadLetterAttributes = v.object({
  TARGET_ARN: v.string(),
  ERROR_CODE: v.string(),
  ERROR_MESSAGE: v.optional(v.string(), ''),
  IS_PAYLOAD_TRUNCATED: v.optional(v.string()),
  SCHEDULED_TIME: v.optional(v.string()),
});

export function letterOf({ Body = '', MessageAttributes = {} }: Message): Letter {
  const attributes = v.safeParse(
    DeadLetterAttributes,
    Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]),
    ),
  );
  if (attributes.success) return deadLetterOf(Body, attributes.output);
  const document = jsonOf(Body);
  const invocation = v.safeParse(FailedInvocation, document);
  if (invocation.success) {
    const { requestPayload: event, responsePayload } = invocation.output;
    const answer = responsePayload ? `: ${inWords(responsePayload)}` : '';
    return { kind: 'event', why: `${whyGivenUp(invocation.output)}${answer}`, event };
  }
  const batch = v.safeParse(FailedBatch, document);
  if (batch.success)
    return { kind: 'record', why: whyGivenUp(batch.output), place: batch.output.DDBStreamBatchInfo };
  const event = v.safeParse(BusEvent, document);
  if (event.success) return { kind: 'notice', why: whyTold(event.output), event: document };
  return { kind: 'unknown', why: 'It is not known what the message means.' };
}

function deadLetterOf(
  body: string,
  {
    ERROR_CODE,
    ERROR_MESSAGE,
    IS_PAYLOAD_TRUNCATED,
    SCHEDULED_TIME,
  }: v.InferOutput<typeof DeadLetterAttributes>,
): Letter {
  const why = `${ERROR_CODE}: ${ERROR_MESSAGE}`;
  if (IS_PAYLOAD_TRUNCATED === 'true') return { kind: 'unknown', why: `${why} (The event is not whole.)` };
  // It is not documented whether the scheduler puts the time in before it gives up.
  const event = jsonOf(body.replaceAll('<aws.scheduler.scheduled-time>', (name) => SCHEDULED_TIME ?? name));
  return event === undefined
    ? { kind: 'unknown', why: `${why} (The event is not JSON.)` }
    : { kind: 'event', why, event };
}

const Thrown = v.object({ errorType: v.string(), errorMessage: v.string() });

/** What a function threw. */
function inWords(payload: unknown): string {
  const thrown = v.safeParse(Thrown, payload);
  return thrown.success
    ? `${thrown.output.errorType}: ${thrown.output.errorMessage}`
    : JSON.stringify(payload);
}

/** Whom mail did not reach, and why, as SES tells it. */
const Returned = v.object({
  bounce: v.optional(
    v.object({
      bouncedRecipients: v.array(
        v.object({ emailAddress: v.string(), diagnosticCode: v.optional(v.string(), '') }),
      ),
    }),
  ),
  complaint: v.optional(v.object({ complainedRecipients: v.array(v.object({ emailAddress: v.string() })) })),
});

function whyTold({ source, detail, 'detail-type': what }: v.InferOutput<typeof BusEvent>): string {
  const returned = v.safeParse(Returned, detail);
  const { bounce, complaint } = returned.success ? returned.output : {};
  const whom = [
    ...(bounce?.bouncedRecipients ?? []).map(({ emailAddress, diagnosticCode }) =>
      `${emailAddress} ${diagnosticCode}`.trim(),
    ),
    ...(complaint?.complainedRecipients ?? []).map(({ emailAddress }) => emailAddress),
  ];
  return [`${source}: ${what}`, ...whom].join(', ');
}

function whyGivenUp({ requestContext }: { requestContext: v.InferOutput<typeof RequestContext> }): string {
  const { condition, approximateInvokeCount: tries } = requestContext;
  return `${condition} after ${tries} ${tries === 1 ? 'try' : 'tries'}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The event that a letter's function gets again. @throws NoEvent */
export async function eventOf(letter: Letter, streams: DynamoDBStreamsClient): Promise<unknown> {
  if (letter.kind === 'unknown') throw new NoEvent(letter.why);
  if (letter.kind === 'notice') throw new NoEvent('It is for people to read: "queues delete" takes it away.');
  if (letter.kind === 'event') return letter.event;
  const record = await findRecord(letter.place, streams);
  if (record) return { Records: [eventRecord(record, letter.place)] };
  throw new NoEvent(
    'The stream has its record no more. "dogs purge" does what it stands for; "queues delete" then takes it away.',
  );
}

/** How often a shard is read: an answer may be empty although the record is there. */
const readsAtMost = 20;

/** The record of a place; undefined if the stream, which keeps its records for a day, has it no more. */
async function findRecord(
  { streamArn: StreamArn, shardId: ShardId, startSequenceNumber: SequenceNumber }: Place,
  streams: DynamoDBStreamsClient,
): Promise<StreamRecord | undefined> {
  try {
    let { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn,
        ShardId,
        SequenceNumber,
        ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      }),
    );
    for (let reads = 0; ShardIterator && reads < readsAtMost; reads++) {
      const { Records: [record] = [], NextShardIterator } = await streams.send(
        new GetRecordsCommand({ ShardIterator, Limit: 1 }),
      );
      if (record) return record.dynamodb?.SequenceNumber === SequenceNumber ? record : undefined;
      ShardIterator = NextShardIterator;
    }
    return undefined;
  } catch (error) {
    if (error instanceof TrimmedDataAccessException || error instanceof ResourceNotFoundException)
      return undefined;
    throw error;
  }
}

/** A record as Lambda hands it over: it tells its stream, and times are Unix seconds. */
function eventRecord(record: StreamRecord, { streamArn }: Place): object {
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
