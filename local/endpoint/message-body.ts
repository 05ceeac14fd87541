import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of an HTTP message. Does not iterate over the message, because iteration takes several times as long.
 *
 * @throws Error if the connection ends before the body is complete
 */
export function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk) => chunks.push(chunk));
    message.once('end', () => resolve(Buffer.concat(chunks)));
    message.once('error', reject);
  });
}
