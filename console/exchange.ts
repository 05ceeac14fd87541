import type { Problem } from '../client/index.ts';
import { phrases } from '../lambdas/contract/status-text.ts';
import type { Request } from './requests.ts';
import { base, pathIn } from './service.ts';

export interface Answer {
  readonly status: number;
  /** As the browser shows them to the page: in small letters, sorted. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** The path whose answer this is, if the browser followed a redirect to it. */
  readonly followedTo?: string;
}

/** A request, and what came of it. */
export interface Exchange {
  readonly request: Request;
  /** None if the service did not answer. */
  readonly answer?: Answer;
}

/** Sends a request as it is: from no cache, and without what the browser would add or ask for by itself. */
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

/** The document of an answer, which is of the kind that was asked for. */
export function documentOf<Document>({ answer }: Exchange): Document {
  return JSON.parse(answer?.body ?? '') as Document;
}

/** One fault of a document: where, and what. */
export type Fault = NonNullable<Problem['errors']>[number];

/** What went wrong, in the service's own words where it has any. */
export function problemOf(exchange: Exchange): Pick<Problem, 'detail' | 'errors'> {
  const { answer } = exchange;
  if (!answer) return { detail: noAnswer };
  try {
    const { detail, errors } = documentOf<Partial<Problem>>(exchange);
    if (detail) return { detail, ...(errors && { errors }) };
  } catch {
    // What stands before the service may answer without a document.
  }
  return { detail: `The service answered ${answer.status}, and did not say why.` };
}

export const noAnswer = 'The service does not answer. Is it running, and is this device online?';

/** The status with its phrase, which HTTP/2 does not send. */
export function statusLine({ status }: Answer): string {
  return `${status} ${phrases[status] ?? ''}`.trim();
}
