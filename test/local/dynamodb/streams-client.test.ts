import { StreamsClient } from '../../../local/dynamodb/streams-client.ts';
import type { AwsCall } from '../../../local/endpoint/emulator.ts';

describe('A call to DynamoDB Streams', () => {
  test('has the operation, the input and the service', async () => {
    const calls: AwsCall[] = [];
    const streams = new StreamsClient(async (call) => {
      calls.push(call);
      return { status: 200, headers: {}, body: '{"Records":[]}' };
    });
    expect(await streams.send('GetRecords', { ShardIterator: 'ü' })).toEqual({ Records: [] });
    const [call] = calls;
    expect(call).toMatchObject({
      service: 'dynamodb',
      method: 'POST',
      headers: { 'x-amz-target': 'DynamoDBStreams_20120810.GetRecords' },
    });
    expect(call?.body.toString()).toBe('{"ShardIterator":"ü"}');
  });

  test('rejects with the code of an error response', async () => {
    const error = { __type: 'com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException', message: 'old' };
    const streams = new StreamsClient(async () => ({
      status: 400,
      headers: {},
      body: Buffer.from(JSON.stringify(error)),
    }));
    await expect(streams.send('DescribeStream', { StreamArn: 'arn' })).rejects.toMatchObject({
      name: 'TrimmedDataAccessException',
      message: 'old',
    });
  });
});
