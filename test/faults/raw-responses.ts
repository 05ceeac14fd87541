import { exchange } from '../support/raw-http.ts';

/** A response, as its bytes on a connection. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends bytes over a connection, and returns all responses, of which there can be none, one or several.
 *
 * @throws Error if the connection stays open
 */
export async function responsesTo(
  baseUrl: string,
  bytes: readonly Buffer[],
  sending?: { readonly halfClose?: boolean },
): Promise<RawResponse[]> {
  return responsesIn(await exchange(baseUrl, bytes, sending), isHead(bytes));
}

export function isHead([start]: readonly Buffer[]): boolean {
  return start?.subarray(0, 5).toString() === 'HEAD ';
}

function responsesIn(bytes: Buffer, bodiless: boolean): RawResponse[] {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, end).toString('latin1');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
  if (end < 0 || status === undefined)
    throw new Error(`The response is invalid: ${bytes.toString('latin1')}`);
  const [, length] = /^content-length: *(\d+)$/im.exec(head) ?? [];
  const rest = bytes.subarray(end + 4);
  const size = bodiless || Number(status) < 200 ? 0 : Number(length ?? rest.length);
  if (rest.length < size) throw new Error(`The response is incomplete: ${bytes.toString('latin1')}`);
  const response = { status: Number(status), head, body: rest.subarray(0, size).toString('utf8') };
  // An interim response such as 100 Continue does not count.
  return [...(response.status < 200 ? [] : [response]), ...responsesIn(rest.subarray(size), bodiless)];
}
