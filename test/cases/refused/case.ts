import type { ProblemType } from '../../../lambdas/contract/problem-types.ts';
import type { Capability } from '../../support/capabilities.ts';
import type { Driver } from '../driver.ts';

export type Fields = Readonly<Record<string, string>>;

/** The details of the errors in a body, by the JSON pointers of their fields. */
export type Errors = Readonly<Record<string, string>>;

/** The response to an invalid request. In the detail and in the errors, `{id}` is the ID of the dog. */
export interface Refusal {
  readonly status: number;
  readonly problem?: ProblemType;
  /** The error of the token endpoint, whose errors are not problem documents. */
  readonly oauthError?: string;
  /**
   * The detail of the problem, or the token endpoint's `error_description`. Absent if a document has several errors, which have no
   * fixed order, and if API Gateway refuses the request.
   */
  readonly detail?: string;
  readonly errors?: Errors;
  readonly headers?: Fields;
}

/** A request that the service refuses. */
export interface Case extends Refusal {
  /** The method and the path. `{dog}` is the path of the dog with a trailing slash, and `{id}` is its ID. */
  readonly request: string;
  /** The defect, which completes the sentence "returns 422 for". By default, it is the request. */
  readonly name?: string;
  /** The header fields. A field with an empty value is not sent. By default, a body is JSON, and the date of a PATCH is now. */
  readonly fields?: Fields;
  /** The body. Bytes and texts are sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
  /** The only driver that can send the request, and the reason. */
  readonly only?: Only;
  /** What the environment of a running service must have. */
  readonly needs?: Capability | undefined;
}

export interface Only {
  readonly driver: Driver['name'];
  readonly because: string;
}

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

export const byGateway: Only = { driver: 'over HTTP', because: 'API Gateway refuses the request itself' };
export const notByFetch: Only = { driver: 'in process', because: 'fetch cannot send these characters' };

export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Returns the response to a document with invalid fields. Several errors have no fixed order, so there is no detail for them. */
export function invalidBody(errors: Errors): Refusal {
  const [[pointer, detail] = [], ...others] = Object.entries(errors);
  return {
    status: 422,
    problem: 'invalid-body',
    errors,
    ...(others.length === 0 && { detail: `The request body is invalid: ${pointer || 'it'} ${detail}.` }),
  };
}

export function tooLarge(bytes: number): Refusal {
  return {
    status: 413,
    problem: 'body-too-large',
    detail: `The request body is ${bytes} bytes long. The limit is 65536 bytes.`,
  };
}

export type InvalidDocument = readonly [name: string, document: unknown, errors: Errors];

export function invalidDocuments(request: string, documents: readonly InvalidDocument[]): Case[] {
  return documents.map(([name, body, errors]) => ({ request, name, body, ...invalidBody(errors) }));
}
