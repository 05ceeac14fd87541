import type { ProblemKind, ProblemType } from '../lambdas/contract/problem-types.ts';
import type { TagName } from './tags.ts';

/** JSON Schema, draft 2020-12. */
export type Schema = { readonly [keyword: string]: unknown };

export interface Reference {
  readonly $ref: string;
  /** Replaces the description of the referenced object. */
  readonly description?: string;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
  /** For a problem document: `about:blank`, or keys of the document's `x-problem-types`. OpenAPI has no place for them. */
  readonly 'x-problem-types'?: readonly string[];
}

export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Parameter extends Header {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
}

export type Headers = Readonly<Record<string, Header | Reference>>;

export interface RequestBody {
  readonly description?: string;
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

/** A problem document, without what follows from its type, its status and the request. */
export interface ProblemExample {
  readonly type: ProblemType;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** The parts of a response that its status does not determine. Without the last three, the response has no body. */
export interface ResponseDescription {
  readonly description: string;
  readonly headers?: Headers;
  readonly content?: Readonly<Record<string, MediaType>>;
  /** Every kind of problem that the operation may return, except those that all operations may return, as names or examples. */
  readonly problems?: readonly (ProblemType | ProblemExample)[];
  /** The details of the problems that API Gateway generates, by example name. */
  readonly gateway?: Readonly<Record<string, string>>;
}

export interface Response extends Omit<ResponseDescription, 'gateway' | 'problems'> {
  readonly headers: Headers;
}

/** The parts of an operation that `routes` does not contain. */
export interface OperationDescription {
  readonly tag: TagName;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  /** The responses, except those that every operation may return. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
}

export type Responses = Readonly<Record<string, Response | Reference>>;

export interface Operation extends Omit<OperationDescription, 'responses' | 'tag'> {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly [];
  readonly responses: Responses;
}

export interface PathItem
  extends Readonly<Partial<Record<'get' | 'put' | 'post' | 'patch' | 'delete', Operation>>> {
  readonly parameters?: readonly Parameter[];
  /** The responses to all other methods. OpenAPI has no place for them. */
  readonly 'x-other-methods'?: Responses;
}

export interface ProblemDescription extends ProblemKind {
  readonly meaning: string;
  readonly remedy: string;
}
