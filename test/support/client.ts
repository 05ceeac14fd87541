import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '@rest-actions/local-cloud/testing';
import type { components } from '../../client/schema.ts';
import type { Access } from '../../tools/service.ts';
import { readAgain } from './read-again.ts';

type Schemas = components['schemas'];
export type Dog = Schemas['Dog'];
export type BarkSchedule = Schemas['BarkSchedule'];
export type Problem = Schemas['Problem'];

/** A bark, of which a test knows whether it is complete. */
export type Bark = Schemas['Bark'] & Schemas['LastBark'];

/** An email in the inbox at `mail_url`. */
export interface Mail {
  readonly from: string;
  readonly destination: { readonly to: readonly string[] };
  readonly subject: string;
  readonly body: { readonly text: string; readonly html: string };
  /** The header field List-Unsubscribe. */
  readonly unsubscribe?: string;
}

export interface ApiResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Fields = Readonly<Record<string, string>>;

/** Returns the JSON document of a response, with the type that the test expects. */
export function documentOf<Document>({ text }: ApiResponse): Document {
  return JSON.parse(text) as Document;
}

export function header({ headers }: ApiResponse, name: string): string {
  return headers.get(name) ?? '';
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

const maxAttempts = 20;

export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

/** A client of a local or deployed service. It does not follow redirects. */
export class Client {
  readonly baseUrl: string;
  readonly authorization: string;
  /** Receives each response. If this function throws, the test fails. */
  private readonly inspect: (response: ApiResponse) => void;
  private readonly fetch: Fetch;

  constructor(
    { base_url, username, password }: Pick<Access, 'base_url' | 'username' | 'password'>,
    inspect: (response: ApiResponse) => void = () => {},
    sendRequest: Fetch = fetch,
  ) {
    this.baseUrl = base_url.replace(/\/$/, '');
    this.authorization = basic(username, password);
    this.inspect = inspect;
    this.fetch = sendRequest;
  }

  get(path: string, fields?: Fields): Promise<ApiResponse> {
    return this.send('GET', path, { fields });
  }

  head(path: string, fields?: Fields): Promise<ApiResponse> {
    return this.send('HEAD', path, { fields });
  }

  put(path: string, body: unknown, fields?: Fields): Promise<ApiResponse> {
    return this.send('PUT', path, { body, fields });
  }

  post(path: string, body?: unknown, fields?: Fields): Promise<ApiResponse> {
    return this.send('POST', path, { body, fields });
  }

  patch(path: string, body?: unknown, fields?: Fields): Promise<ApiResponse> {
    return this.send('PATCH', path, { body, fields });
  }

  delete(path: string, fields?: Fields): Promise<ApiResponse> {
    return this.send('DELETE', path, { fields });
  }

  /** Sends a request, and repeats it after a 429, which a deployed stage may return at any time. */
  async send(method: string, path: string, request: Sent = {}): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.sendOnce(method, path, request);
      if (response.status !== 429 || attempt === maxAttempts) return response;
      await sleep(1000 * Number(header(response, 'Retry-After') || 1));
    }
  }

  async sendOnce(
    method: string,
    path: string,
    { body, fields = {}, signal = null }: Sent = {},
  ): Promise<ApiResponse> {
    const url = this.urlOf(path);
    const raw = body === undefined || body instanceof Uint8Array;
    const headers = {
      Authorization: this.authorization,
      ...(!raw && { 'Content-Type': 'application/json' }),
      ...fields,
    };
    const response = await readAgain(this.fetch)(url, {
      method,
      redirect: 'manual',
      headers: Object.entries(headers).filter(([, value]) => value !== ''),
      body: raw ? (body ?? null) : JSON.stringify(body),
      signal,
    });
    const received = {
      method,
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    };
    this.inspect(received);
    return received;
  }

  /** @param path the path of a resource, or its absolute URL from a response */
  urlOf(path: string): string {
    if (path.startsWith('/')) return `${this.baseUrl}${path}`;
    if (!path.startsWith(`${this.baseUrl}/`)) throw new Error(`${path} is not below ${this.baseUrl}.`);
    return path;
  }
}

export interface Sent {
  /** The body. Bytes are sent unchanged and without a Content-Type. Any other body is sent as JSON. */
  readonly body?: unknown;
  /** The header fields. A field with an empty value is not sent. This applies even to `Authorization`. */
  readonly fields?: Fields | undefined;
  readonly signal?: AbortSignal | null;
}

/** Sends a request that `fetch` cannot send, such as one with a custom method or with the name of another host. */
export async function sendRaw(
  url: string,
  { method = 'GET', fields = {}, body }: { method?: string; fields?: Fields; body?: string } = {},
): Promise<ApiResponse> {
  const { origin, pathname, search } = new URL(url);
  const reply = await send(origin, `${pathname}${search}`, { method, headers: fields, body });
  const headers = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, `${value}`]);
  return { method, url, status: reply.status, headers: new Headers(headers), text: reply.body };
}

/** Creates dogs with unique IDs for a test file, and deletes them at the end of the file. */
export class TestDogs {
  private readonly client: Client;
  private readonly paths: string[] = [];

  constructor(client: Client) {
    this.client = client;
  }

  /** Returns the path of a unique dog without creating the dog. If a test creates it, `clear` deletes it. */
  newPath(): string {
    const path = `/v1/dogs/test-${randomBytes(8).toString('hex')}/`;
    this.paths.push(path);
    return path;
  }

  async newDog(settings: object = {}): Promise<string> {
    const path = this.newPath();
    const { status, text } = await this.client.put(path, settings);
    if (status !== 201) throw new Error(`The dog was not created: ${status} ${text}`);
    return path;
  }

  async clear(): Promise<void> {
    await Promise.all(this.paths.splice(0).map((path) => this.client.delete(path)));
  }
}

export async function dogAt(client: Client, path: string): Promise<Dog> {
  return documentOf<Dog>(await client.get(path));
}

export async function allOf<Item>(client: Client, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const response: ApiResponse = await client.get(next);
    if (response.status !== 200)
      throw new Error(`${next} responded with ${response.status}: ${response.text}`);
    const [page = []] = Object.values(documentOf<Record<string, Item[]>>(response));
    items.push(...page);
    next = nextOf(response);
  }
  return items;
}

export function nextOf(response: ApiResponse): string | undefined {
  return /<([^>]+)>; *rel="next"/.exec(header(response, 'Link'))?.[1];
}

/** Returns the emails that were sent to an address, oldest first. */
export async function mailsTo(mailUrl: string, address: string): Promise<Mail[]> {
  const response = await readAgain(fetch)(`${mailUrl}?${new URLSearchParams({ address })}`);
  const { emails } = (await response.json()) as { emails: Mail[] };
  return emails.toReversed().filter(({ destination }) => destination.to.includes(address));
}
