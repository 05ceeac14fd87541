import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { TooManyRequestsException } from '../lambda/errors.ts';
import type { DataDirectory } from '../platform/data-directory.ts';
import { log } from '../platform/log.ts';

/** How often a stream is asked for news, in milliseconds; Lambda does it about as often. */
const pollInterval = 1_000;

/**
 * How long it is between two looks at what does not end, in milliseconds; DynamoDB lets a shard be read five times a
 * second. Without it, writes that come one after the other keep this machine busy with each of them.
 */
const readPause = 250;

/** How long a record that failed waits for its next try, in milliseconds. */
const retryPause = 1_000;

/** An event source mapping, as the template has it. */
export interface EventSourceMapping {
  readonly name: string;
  readonly functionArn: string;
  readonly tableName: string;
  /** The names of events that the filter lets through: INSERT, MODIFY, REMOVE. */
  readonly eventNames: ReadonlySet<string>;
  readonly retryAttempts: number;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Takes what Lambda sends to the destination of a failure. */
  readonly giveUp?: (body: string) => void;
}

/** Where a record was read. */
interface Place {
  readonly StreamArn: string | undefined;
  readonly ShardId: string;
}

/** For each shard the sequence number of the last record that is done with. */
type Checkpoint = Record<string, string>;

/**
 * Delivers the records of a table's stream to a function: in their order, at least once, and going on after a restart
 * where it was.
 */
export class StreamPoller {
  private readonly mapping: EventSourceMapping;
  private readonly database: DynamoDBClient;
  private readonly streams: DynamoDBStreamsClient;
  private readonly directory: DataDirectory;
  private readonly stopped = new AbortController();
  private readonly checkpoint: Checkpoint;
  /** The shards that were there when one of them had ended last: new ones come of those that end. */
  private shards: readonly Place[] = [];

  constructor(
    mapping: EventSourceMapping,
    {
      database,
      streams,
      directory,
    }: { database: DynamoDBClient; streams: DynamoDBStreamsClient; directory: DataDirectory },
  ) {
    this.mapping = mapping;
    this.database = database;
    this.streams = streams;
    this.directory = directory;
    const file = directory.file(this.checkpointName);
    this.checkpoint = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  }

  /** Polls until it is stopped; a round that fails is told and tried again. */
  async run(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      await this.poll().catch((error: Error) => {
        this.shards = [];
        if (!this.stopped.signal.aborted)
          log(`The stream of ${this.mapping.tableName} could not be read: ${error.message}`);
      });
      await this.pause(pollInterval);
    }
  }

  stop(): void {
    this.stopped.abort();
  }

  private async poll(): Promise<void> {
    if (this.shards.length === 0) this.shards = await this.describe();
    let open = true;
    for (const shard of this.shards) open = (await this.readShard(shard)) && open;
    if (!open) this.shards = [];
  }

  /** To describe a table, or a stream, the embedded database counts all that is in it: it is seldom done. */
  private async describe(): Promise<Place[]> {
    const { Table } = await this.database.send(
      new DescribeTableCommand({ TableName: this.mapping.tableName }),
    );
    const StreamArn = Table?.LatestStreamArn;
    const { StreamDescription } = await this.streams.send(new DescribeStreamCommand({ StreamArn }));
    return (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) =>
      ShardId ? { StreamArn, ShardId } : [],
    );
  }

  /** @returns whether more may come */
  private async readShard({ StreamArn, ShardId }: Place): Promise<boolean> {
    let ShardIterator = await this.iteratorOf({ StreamArn, ShardId });
    while (ShardIterator && !this.stopped.signal.aborted) {
      const { Records = [], NextShardIterator } = await this.streams.send(
        new GetRecordsCommand({ ShardIterator }),
      );
      for (const record of Records) await this.deliver(record, { StreamArn, ShardId });
      const last = Records.at(-1)?.dynamodb?.SequenceNumber;
      if (last === undefined || this.stopped.signal.aborted) return NextShardIterator !== undefined;
      this.checkpoint[ShardId] = last;
      this.directory.write(this.checkpointName, this.checkpoint);
      ShardIterator = NextShardIterator;
      await this.pause(readPause);
    }
    return ShardIterator !== undefined;
  }

  private async iteratorOf({ StreamArn, ShardId }: Place): Promise<string | undefined> {
    const SequenceNumber = this.checkpoint[ShardId];
    const fromStart = () =>
      this.streams.send(
        new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
      );
    const { ShardIterator } = await (SequenceNumber === undefined
      ? fromStart()
      : this.streams
          .send(
            new GetShardIteratorCommand({
              StreamArn,
              ShardId,
              ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
              SequenceNumber,
            }),
          )
          .catch((error) => {
            if (error instanceof TrimmedDataAccessException) return fromStart();
            throw error;
          }));
    return ShardIterator;
  }

  private async deliver(record: StreamRecord, place: Place): Promise<void> {
    const { name, eventNames, retryAttempts, invoke } = this.mapping;
    if (!eventNames.has(record.eventName ?? '')) return;
    let failures = 0;
    while (failures <= retryAttempts && !this.stopped.signal.aborted) {
      try {
        await invoke({ Records: [eventRecord(record, place)] });
        return;
      } catch (error) {
        // A throttled record did not reach the function, so this is not one of its attempts:
        // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
        if (!(error instanceof TooManyRequestsException)) failures += 1;
        log(`${name} failed on a record of the stream: ${(error as Error).message}`);
      }
      await this.pause(retryPause);
    }
    if (!this.stopped.signal.aborted) this.giveUp(record, place);
  }

  private giveUp(record: StreamRecord, place: Place): void {
    const { name, functionArn, retryAttempts, giveUp } = this.mapping;
    log(`${name} was given up on a record of the stream.`);
    giveUp?.(JSON.stringify(failureOf(record, place, { functionArn, attempts: retryAttempts + 1 })));
  }

  private pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.stopped.signal }).catch(() => {});
  }

  private get checkpointName(): string {
    return `stream-${this.mapping.name}.json`;
  }
}

/** A record as Lambda hands it over: it tells its stream, and times are Unix seconds there. */
function eventRecord(record: StreamRecord, { StreamArn }: Place): object {
  const created = record.dynamodb?.ApproximateCreationDateTime;
  return {
    ...record,
    dynamodb: {
      ...record.dynamodb,
      ...(created && { ApproximateCreationDateTime: Math.floor(created.getTime() / 1000) }),
    },
    eventSourceARN: StreamArn,
  };
}

/** What Lambda sends to the destination of a failure: not the record itself, but where in the stream it is. */
function failureOf(
  { dynamodb }: StreamRecord,
  { StreamArn, ShardId }: Place,
  { functionArn, attempts }: { functionArn: string; attempts: number },
): object {
  const arrival = dynamodb?.ApproximateCreationDateTime?.toISOString();
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn,
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: attempts,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: ShardId,
      startSequenceNumber: dynamodb?.SequenceNumber,
      endSequenceNumber: dynamodb?.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival,
      approximateArrivalOfLastRecord: arrival,
      batchSize: 1,
      streamArn: StreamArn,
    },
  };
}
