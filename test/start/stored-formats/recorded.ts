import type { ApiResponse, Client } from '../../support/client.ts';
import type { Identities } from './identities.ts';
import type { StoredData } from './stored-data.ts';

/** A request without credentials. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request and its response. In the response, `BASE_URL` replaces the URL of the service. */
export interface Exchange {
  readonly sent: Sent;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON document. Absent for any other body. */
  readonly document?: unknown;
}

/** The data that a version has stored, and the responses to requests that depend on the data. */
export interface Recorded {
  readonly version: string;
  /** Unix seconds. */
  readonly recordedAt: number;
  readonly access: {
    readonly username: string;
    readonly password: string;
    readonly client_id: string | undefined;
    readonly client_secret: string | undefined;
    readonly refresh_token: string | undefined;
    readonly accessToken: string;
  };
  /** The input of the execution of an asynchronous bark that was pending. */
  readonly pendingBark: { readonly dog: string; readonly bark: string };
  readonly exchanges: readonly Exchange[];
  readonly data: StoredData;
  readonly stack: Identities;
}

/** The headers that identify what a response is about. */
const keptHeaders = ['Location', 'Link', 'Last-Modified'];

/** Sends a request, and returns the exchange. */
export async function exchangeOf(client: Client, sent: Sent): Promise<Exchange> {
  const response = await client.send(sent.method, sent.path, { body: sent.body, fields: sent.fields });
  const portable = (text: string) => text.replaceAll(client.baseUrl, 'BASE_URL');
  const headers = keptHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, portable(value)]];
  });
  const document = documentIn(response, portable);
  return {
    sent,
    status: response.status,
    headers: Object.fromEntries(headers),
    ...(document && { document }),
  };
}

function documentIn(
  { headers, text }: ApiResponse,
  portable: (text: string) => string,
): { instance?: string } | undefined {
  if (text === '' || !/json/.test(headers.get('Content-Type') ?? '')) return undefined;
  // The ID of the request is new in each response.
  const { instance: _, ...document } = JSON.parse(portable(text));
  return document;
}
