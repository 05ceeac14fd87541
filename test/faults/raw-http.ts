import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectByTls } from 'node:tls';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

interface Sending {
  /** Whether this side says that it sends no more. */
  readonly halfClose?: boolean;
}

/** How long the other side may take to answer and to close, in milliseconds. */
const patience = 20_000;

/**
 * Sends bytes over a connection of their own, and gives the answers that come back until it is closed: none, one, or
 * several.
 *
 * @throws Error if it stays open
 */
export async function exchangeRaw(
  baseUrl: string,
  bytes: readonly Buffer[],
  { halfClose = false }: Sending = {},
): Promise<RawAnswer[]> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const socket =
    protocol === 'https:'
      ? connectByTls({ host: hostname, port: Number(port || 443), servername: hostname })
      : connect({ host: hostname, port: Number(port || 80) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server may close while it is being sent what it will not read: what it said before is its answer.
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(() => true);
  socket.setNoDelay();
  const send = async () => {
    for (const piece of bytes) await new Promise((written) => socket.write(piece, written));
    if (halfClose) socket.end();
  };
  void send();
  const inTime = await Promise.race([closed, sleep(patience, false, { ref: false })]);
  socket.destroy();
  if (!inTime) throw new Error(`The connection stayed open, and ${Buffer.concat(chunks).length} bytes came.`);
  return answersIn(Buffer.concat(chunks), isHead(bytes));
}

export function isHead([start]: readonly Buffer[]): boolean {
  return start?.subarray(0, 5).toString() === 'HEAD ';
}

function answersIn(bytes: Buffer, bodiless: boolean): RawAnswer[] {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, end).toString('latin1');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
  if (end < 0 || status === undefined) throw new Error(`What came is no answer: ${bytes.toString('latin1')}`);
  const [, length] = /^content-length: *(\d+)$/im.exec(head) ?? [];
  const rest = bytes.subarray(end + 4);
  const size = bodiless || Number(status) < 200 ? 0 : Number(length ?? rest.length);
  if (rest.length < size) throw new Error(`The answer was cut off: ${bytes.toString('latin1')}`);
  const answer = { status: Number(status), head, body: rest.subarray(0, size).toString('utf8') };
  // What leads to an answer is none: 100 Continue.
  return [...(answer.status < 200 ? [] : [answer]), ...answersIn(rest.subarray(size), bodiless)];
}
