import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { matchesPattern, type Pattern } from '../eventbridge/pattern.ts';
import { TooManyRequestsException } from '../lambda/errors.ts';
import type { DataDirectory } from '../platform/data-directory.ts';
import { isAboutFullDisk } from '../platform/disk-errors.ts';
import { parseJson } from '../platform/json.ts';
import { log } from '../platform/log.ts';
import type { StreamRecord, StreamsClient } from './streams-client.ts';

/** Lambda reads about four times per second. With this longer interval, one read can return the records of many writes. */
const pollIntervalMs = 1_000;

const retryDelayMs = 1_000;

export interface EventSourceMapping {
  readonly name: string;
  readonly functionArn: string;
  readonly tableName: string;
  /** If empty, all records match. */
  readonly filters: readonly Pattern[];
  readonly batchSize: number;
  /** True if Lambda halves a batch after the function throws an error. */
  readonly bisects: boolean;
  /** True if the function's result can list the records that failed. */
  readonly reportsFailures: boolean;
  readonly retryAttempts: number;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Receives Lambda's invocation record as JSON when all attempts to deliver a batch have failed. */
  readonly onFailure?: (body: string) => void;
}

export interface PollerClients {
  readonly directory: DataDirectory;
  readonly database: DynamoDBClient;
  readonly streams: Pick<StreamsClient, 'send'>;
}

interface Shard {
  readonly StreamArn: string | undefined;
  readonly ShardId: string;
}

interface EventRecord extends StreamRecord {
  readonly dynamodb: NonNullable<StreamRecord['dynamodb']>;
  readonly eventSourceARN: string | undefined;
}

/** The sequence number of the last record in the last fully processed read, by shard ID. */
type Checkpoint = Record<string, string>;

/**
 * Delivers the records of a table's stream to a function, in order and at least once. After a restart, the poller continues after
 * its checkpoint, and can repeat records from a read that it had not finished.
 */
export class StreamPoller {
  private mapping: EventSourceMapping;
  private readonly database: DynamoDBClient;
  private readonly streams: Pick<StreamsClient, 'send'>;
  private readonly directory: DataDirectory;
  private readonly stopped = new AbortController();
  private readonly checkpoint: Checkpoint;
  /** Empty before the first poll, and after a shard has ended or a poll has failed. The next poll then describes the shards. */
  private shards: readonly Shard[] = [];

  constructor(mapping: EventSourceMapping, { database, streams, directory }: PollerClients) {
    this.mapping = mapping;
    this.database = database;
    this.streams = streams;
    this.directory = directory;
    this.checkpoint = readCheckpoint(directory.file(this.checkpointName));
  }

  /** Polls the stream until `stop` is called, even after a failed poll. Rejects if the disk is full. */
  async run(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      await this.poll().catch((error: Error) => {
        if (isAboutFullDisk(error)) throw error;
        this.shards = [];
        if (!this.stopped.signal.aborted)
          log(`The stream of ${this.mapping.tableName} could not be processed: ${error.message}`);
      });
      await this.pause(pollIntervalMs);
    }
  }

  /** @param mapping for the same table and function */
  update(mapping: EventSourceMapping): void {
    this.mapping = mapping;
  }

  stop(): void {
    this.stopped.abort();
  }

  private async poll(): Promise<void> {
    if (this.shards.length === 0) this.shards = await this.describe();
    for (const shard of this.shards) await this.readShard(shard);
  }

  /** Called rarely, because the embedded database counts all items to describe a table or a stream. */
  private async describe(): Promise<Shard[]> {
    const { Table } = await this.database.send(
      new DescribeTableCommand({ TableName: this.mapping.tableName }),
    );
    const StreamArn = Table?.LatestStreamArn;
    const { StreamDescription } = await this.streams.send('DescribeStream', { StreamArn });
    return (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) =>
      ShardId ? { StreamArn, ShardId } : [],
    );
  }

  private async readShard(shard: Shard): Promise<void> {
    const ShardIterator = await this.iteratorOf(shard);
    if (this.stopped.signal.aborted) return;
    const { Records = [], NextShardIterator } = await this.streams.send('GetRecords', { ShardIterator });
    await this.deliver(Records, shard);
    if (this.stopped.signal.aborted) return;
    const last = Records.at(-1)?.dynamodb?.SequenceNumber;
    if (last !== undefined) {
      this.checkpoint[shard.ShardId] = last;
      this.directory.write(this.checkpointName, this.checkpoint);
    }
    if (NextShardIterator === undefined) this.shards = [];
  }

  private async iteratorOf(shard: Shard): Promise<string | undefined> {
    const SequenceNumber = this.checkpoint[shard.ShardId];
    const iterator = async (position: object) =>
      (await this.streams.send('GetShardIterator', { ...shard, ...position })).ShardIterator;
    const fromStart = () => iterator({ ShardIteratorType: 'TRIM_HORIZON' });
    if (SequenceNumber === undefined) return fromStart();
    return iterator({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }).catch((error) => {
      if (error.name === 'TrimmedDataAccessException') return fromStart();
      throw error;
    });
  }

  private async deliver(records: readonly StreamRecord[], shard: Shard): Promise<void> {
    const { filters, batchSize } = this.mapping;
    const matching = records.filter(
      (record) => filters.length === 0 || filters.some((filter) => matchesPattern(filter, record)),
    );
    for (let start = 0; start < matching.length; start += batchSize)
      await this.deliverBatch(matching.slice(start, start + batchSize), shard);
  }

  /** @see {@link https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html Partial batch responses} */
  private async deliverBatch(batch: readonly StreamRecord[], shard: Shard): Promise<void> {
    const { name, bisects, retryAttempts, invoke } = this.mapping;
    let failures = 0;
    while (failures <= retryAttempts && !this.stopped.signal.aborted) {
      try {
        const records = batch.map((record) => eventRecord(record, shard));
        const failed = this.failedRecordIn(await invoke({ Records: records }), records);
        if (failed === undefined) return;
        if (failed > 0) return this.continueWith(batch.slice(failed), shard);
        failures += 1;
        log(`${name} reported that it failed to process a stream record.`);
      } catch (error) {
        // A throttled invocation did not reach the function, so it does not count as an attempt:
        // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
        const isThrottled = error instanceof TooManyRequestsException;
        log(`${name} failed to process a batch of stream records: ${(error as Error).message}`);
        if (bisects && batch.length > 1 && !isThrottled) {
          const middle = Math.ceil(batch.length / 2);
          await this.continueWith(batch.slice(0, middle), shard);
          return this.deliverBatch(batch.slice(middle), shard);
        }
        if (!isThrottled) failures += 1;
      }
      await this.pause(retryDelayMs);
    }
    if (!this.stopped.signal.aborted) this.fail(batch, shard);
  }

  private async continueWith(batch: readonly StreamRecord[], shard: Shard): Promise<void> {
    await this.pause(retryDelayMs);
    return this.deliverBatch(batch, shard);
  }

  /** Returns the index of the first failed record, 0 if a reported one is not in the batch, or undefined if none is reported. */
  private failedRecordIn(result: unknown, records: readonly EventRecord[]): number | undefined {
    const { batchItemFailures = [] } = Object(result) as {
      batchItemFailures?: readonly { itemIdentifier?: string }[];
    };
    if (!this.mapping.reportsFailures || batchItemFailures.length === 0) return undefined;
    const indexes = batchItemFailures.map(({ itemIdentifier }) =>
      records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
    );
    return Math.max(0, Math.min(...indexes));
  }

  private fail(batch: readonly StreamRecord[], shard: Shard): void {
    const { name, functionArn, retryAttempts, onFailure } = this.mapping;
    log(`${name} failed to process a batch of stream records in all attempts.`);
    onFailure?.(JSON.stringify(failureOf(batch, shard, { functionArn, attempts: retryAttempts + 1 })));
  }

  private pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.stopped.signal }).catch(() => {});
  }

  private get checkpointName(): string {
    const { name, tableName } = this.mapping;
    return `stream-${name}-${tableName}.json`;
  }
}

/** Without a valid checkpoint, the poller begins with the oldest record. */
function readCheckpoint(file: string): Checkpoint {
  if (!existsSync(file)) return {};
  const checkpoint = parseJson(readFileSync(file, 'utf8'));
  if (isCheckpoint(checkpoint)) return checkpoint;
  log(`${file} is damaged. The service delivers the stream records of the last day again.`);
  return {};
}

function isCheckpoint(value: unknown): value is Checkpoint {
  const isObject = Object(value) === value && !Array.isArray(value);
  return isObject && Object.values(Object(value)).every((position) => /^\d+$/.test(String(position)));
}

function eventRecord(record: StreamRecord, { StreamArn }: Shard): EventRecord {
  const created = record.dynamodb?.ApproximateCreationDateTime;
  return {
    ...record,
    dynamodb: {
      ...record.dynamodb,
      ...(created !== undefined && { ApproximateCreationDateTime: Math.floor(created) }),
    },
    eventSourceARN: StreamArn,
  };
}

/** Lambda's invocation record contains the positions of the stream records, but not their data. */
function failureOf(
  batch: readonly StreamRecord[],
  { StreamArn, ShardId }: Shard,
  { functionArn, attempts }: { functionArn: string; attempts: number },
): object {
  const [first, last] = [batch[0]?.dynamodb, batch.at(-1)?.dynamodb];
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
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: batch.length,
      streamArn: StreamArn,
    },
  };
}

function arrivalOf({ ApproximateCreationDateTime: time = 0 }: StreamRecord['dynamodb'] = {}): string {
  return new Date(time * 1000).toISOString();
}
