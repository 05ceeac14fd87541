import { createHash } from 'node:crypto';
import type { MessageAttribute } from './queues.ts';

/**
 * Returns an object with the MD5 digest that clients use to check the message attributes. The object is empty if there are no
 * attributes.
 *
 * @see {@link https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html#sqs-attributes-md5-message-digest-calculation
 *   Calculating the MD5 message digest for message attributes}
 */
export function digestOf(attributes: Readonly<Record<string, MessageAttribute>>): object {
  const entries = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return {};
  const parts = entries.flatMap(([name, { DataType, StringValue, BinaryValue }]) => {
    const value = BinaryValue === undefined ? (StringValue ?? '') : Buffer.from(BinaryValue, 'base64');
    const kind = Buffer.from([BinaryValue === undefined ? 1 : 2]);
    return [sized(name), sized(DataType), kind, sized(value)];
  });
  return { MD5OfMessageAttributes: md5(Buffer.concat(parts)) };
}

/** Returns the content, preceded by its length in four bytes. */
function sized(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Returns the MD5 digest in hexadecimal. */
export function md5(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex');
}
