import type { Emulator } from '../endpoint/emulator.ts';

/** A stream record, as DynamoDB Streams returns it. */
export interface StreamRecord {
  readonly dynamodb?: {
    readonly SequenceNumber?: string;
    /** Unix seconds. */
    readonly ApproximateCreationDateTime?: number;
  };
}

/** The input and the output of each operation that the client supports. */
interface Operations {
  readonly DescribeStream: {
    readonly input: { readonly StreamArn: string | undefined };
    readonly output: {
      readonly StreamDescription?: { readonly Shards?: readonly { readonly ShardId?: string }[] };
    };
  };
  readonly GetShardIterator: {
    readonly input: {
      readonly StreamArn: string | undefined;
      readonly ShardId: string;
      readonly ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AFTER_SEQUENCE_NUMBER';
      readonly SequenceNumber?: string;
    };
    readonly output: { readonly ShardIterator?: string };
  };
  readonly GetRecords: {
    readonly input: { readonly ShardIterator: string; readonly Limit?: number };
    readonly output: { readonly Records?: readonly StreamRecord[]; readonly NextShardIterator?: string };
  };
}

/** An error response of DynamoDB Streams. The name is the error code. */
export class StreamsError extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

/**
 * Calls DynamoDB Streams without HTTP and without the SDK. The poller passes the records on unchanged, but the SDK would convert
 * each attribute of each record.
 */
export class StreamsClient {
  private readonly emulator: Emulator;

  /** @param emulator the emulator of DynamoDB, or one that forwards the calls */
  constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  /**
   * Performs an operation.
   *
   * @throws StreamsError if the response is an error
   * @throws Error if the service does not respond
   */
  async send<Name extends keyof Operations>(
    operation: Name,
    input: Operations[Name]['input'],
  ): Promise<Operations[Name]['output']> {
    const { status, body } = await this.emulator({
      caller: 'administrator',
      service: 'dynamodb',
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      },
      body: Buffer.from(JSON.stringify(input)),
    });
    const output = JSON.parse(body.toString());
    if (status === 200) return output;
    throw new StreamsError(output.__type?.split('#').at(-1) ?? String(status), output.message ?? '');
  }
}
