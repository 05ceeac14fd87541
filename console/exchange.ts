import type { Problem } from '../client/index.ts';
import { phrases } from '../lambdas/contract/status-text.ts';
import type { Request } from './requests.ts';
import { base, pathIn } from './service.ts';

export interface Answer {
  readonly status: number;
  /** The browser sorts the names and converts them to lower case. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** The path that sent this response, if the browser followed a redirect to it. */
  readonly followedTo?: string;
}

/** A request and its response. */
export interface Exchange {
  readonly request: Request;
  /** Absent if the service did not respond. */
  readonly answer?: Answer;
}

/** Sends a request. The browser adds no credentials, asks for none, and uses no cache. */
export async function exchanged(request: Request, authorization: string): Promise<Exchange> {
  const { method, path, headers, body } = request;
  try {
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, Authorization: authorization },
      body: body ?? null,
      credentials: 'omit',
      cache: 'no-store',
    });
    return { request, answer: await answerOf(response) };
  } catch {
    return { request };
  }
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: [...response.headers],
    body: await response.text(),
    ...(response.redirected && { followedTo: pathIn(response.url) }),
  };
}

export function succeeded({ answer }: Exchange): boolean {
  return answer !== undefined && answer.status < 400;
}

export function headerOf({ answer }: Exchange, name: string): string | undefined {
  return answer?.headers.find(([known]) => known === name)?.[1];
}

/** Returns the JSON document of a response, whose type the caller knows from the request. */
export function documentOf<Document>({ answer }: Exchange): Document {
  return JSON.parse(answer?.body ?? '') as Document;
}

/** An error of one field of a document. */
export type Fault = NonNullable<Problem['errors']>[number];

/** Returns the problem of a failed exchange: the problem document of the response, or a general text. */
export function problemOf(exchange: Exchange): Pick<Problem, 'detail' | 'errors'> {
  const { answer } = exchange;
  if (!answer) return { detail: noAnswer };
  try {
    const { detail, errors } = documentOf<Partial<Problem>>(exchange);
    if (detail) return { detail, ...(errors && { errors }) };
  } catch {
    // A proxy in front of the service may respond without a problem document.
  }
  return { detail: `The service answered ${answer.status}, and did not say why.` };
}

export const noAnswer = 'The service does not answer. Is it running, and is this device online?';

/** Returns the status with its phrase, which HTTP/2 does not send. */
export function statusLine({ status }: Answer): string {
  return `${status} ${phrases[status] ?? ''}`.trim();
}
