import type { ProblemType } from '../../lambdas/contract/problem-types.ts';

/**
 * The table of invalid requests and their responses. Two drivers send each request: `test/lambdas/api/refused-requests.test.ts`
 * calls the handlers in process, and `test/blackbox/refused-requests.test.ts` calls a running service over HTTP.
 */

export type Fields = Readonly<Record<string, string>>;

/** The response to an invalid request. In texts and headers, `{dog}` is the ID of the dog. */
export interface Refusal {
  readonly status: number;
  /** The slug of the problem type. */
  readonly problem?: ProblemType;
  /** The error of the token endpoint, whose errors are not problem documents. */
  readonly oauthError?: string;
  /** The detail of the problem. If it is absent, the drivers do not check the detail. */
  readonly detail?: string;
  /** The details of the errors, by the JSON pointer of their field. */
  readonly errors?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Fields;
}

/** A request that the service refuses. */
export interface Case extends Refusal {
  /** The defect of the request: `PUT /v1/dogs/{id}` + `returns 422 for <name>`. */
  readonly name: string;
  readonly method: string;
  /** The path, relative to the dog unless it begins with a slash. In the path, `{dog}` is the ID of the dog. */
  readonly path: string;
  readonly fields?: Fields;
  readonly body?: Buffer | undefined;
  /** The only driver that can send the request, and the reason. By default, both drivers send it. */
  readonly only?: Only;
}

export interface Only {
  readonly driver: Driver;
  readonly because: string;
}

export type Driver = 'in process' | 'over HTTP';

/**
 * A dog that receives the requests of a group:
 *
 * - `new`: a dog without barks and without a schedule
 * - `scheduled`: a dog with a schedule
 * - `absent`: an ID that no dog has
 */
export type DogKind = 'new' | 'scheduled' | 'absent';

/** Requests with something in common. None of them changes a dog. */
export interface CaseGroup {
  readonly title: string;
  /** The drivers send each request to each of these dogs. */
  readonly dogs: readonly DogKind[];
  readonly cases: readonly Case[];
}

/** API Gateway sends the response without calling a function. */
export const byGateway: Only = { driver: 'over HTTP', because: 'API Gateway itself refuses the request' };

/** A function can receive such a value only from another client than `fetch`. */
export const notByFetch: Only = { driver: 'in process', because: 'fetch cannot send these characters' };

export const json: Fields = { 'Content-Type': 'application/json' };

export function bytes(content: unknown): Buffer {
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
}

export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Returns the response to a document with invalid fields. A detail with several errors has no fixed order. */
export function invalidBody(errors: Readonly<Record<string, string | readonly string[]>>): Refusal {
  const all = Object.entries(errors).flatMap(([pointer, details]) =>
    [details].flat().map((detail) => `${pointer || 'it'} ${detail}`),
  );
  return {
    status: 422,
    problem: 'invalid-body',
    errors,
    ...(all.length === 1 && { detail: `The request body is invalid: ${all[0]}.` }),
  };
}

/** A document with invalid fields, and the errors of these fields. */
export type InvalidDocument = readonly [
  name: string,
  document: unknown,
  errors: Readonly<Record<string, string | readonly string[]>>,
];

/** Returns the cases of an operation that responds with 422 to documents with invalid fields. */
export function invalidDocuments(
  operation: Pick<Case, 'method' | 'path'>,
  documents: readonly InvalidDocument[],
): Case[] {
  return documents.map(([name, document, errors]) => ({
    name,
    ...operation,
    fields: json,
    body: bytes(document),
    ...invalidBody(errors),
  }));
}
