import { createHash } from 'node:crypto';

export const region = 'us-east-1';
export const account = '000000000000';

export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${region}:${account}:${resource}`;
}

/** On AWS, the ARN ends in six random characters. Here, these characters are a hash of the name. */
export function secretArn(name: string): string {
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return arn('secretsmanager', `secret:${name}-${suffix}`);
}

/** On AWS, the ARN ends in a random ID. */
export function stackArn(name: string): string {
  return arn('cloudformation', `stack/${name}/1`);
}

/** On AWS, the ARN ends in the time at which the stream was created. */
export function streamArn(tableName: string): string {
  return arn('dynamodb', `table/${tableName}/stream/1`);
}

/** Matches the URL that API Gateway assigns to an API's stage. */
export const apiUrl = new RegExp(`https://[\\w-]+\\.execute-api\\.${region}\\.amazonaws\\.com/\\w+`, 'g');

export const queueOrigin = `https://sqs.${region}.amazonaws.com`;

export function queueUrl(name: string): string {
  return `${queueOrigin}/${account}/${name}`;
}
