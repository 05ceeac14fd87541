import type { DescribeStreamOutput, GetShardIteratorOutput } from '@aws-sdk/client-dynamodb-streams';
import type { Emulator } from '../endpoint/emulator.ts';
import { ServiceError } from '../platform/service-error.ts';

export interface StreamRecord {
  readonly dynamodb?: {
    readonly SequenceNumber?: string;
    /** Unix seconds. */
    readonly ApproximateCreationDateTime?: number;
  };
}

interface Outputs {
  readonly DescribeStream: DescribeStreamOutput;
  readonly GetShardIterator: GetShardIteratorOutput;
  readonly GetRecords: { readonly Records?: readonly StreamRecord[]; readonly NextShardIterator?: string };
}

/** Calls DynamoDB Streams without the SDK, which would convert each attribute of each record. */
export class StreamsClient {
  private readonly emulator: Emulator;

  constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  /** @throws ServiceError if the response is an error */
  async send<Name extends keyof Outputs>(operation: Name, input: object): Promise<Outputs[Name]> {
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
    throw new ServiceError(output.__type?.split('#').at(-1), output.message ?? '', status);
  }
}
