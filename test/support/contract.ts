import { addedHeaders } from '@rest-actions/local-cloud/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { segmentsOf } from '../../lambdas/contract/segments.ts';
import type { Document } from '../../openapi/document.ts';
import type { Header, Operation, PathItem, Reference, Response, Schema } from '../../openapi/types.ts';
import type { Access } from '../../tools/service.ts';
import type { ApiResponse } from './client.ts';
import { readAgain } from './read-again.ts';

const methods = ['get', 'head', 'put', 'post', 'patch', 'delete'] as const;

export interface Case {
  readonly operation: string;
  readonly status: number;
}

export class Contract {
  private readonly document: Document;
  private readonly baseUrls: readonly string[];
  private readonly isStrict: boolean;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<Schema, ValidateFunction>();

  /**
   * @param baseUrls the possible prefixes of the URLs of the service, without a trailing slash
   * @param options `isStrict`: whether a response may have only header fields that the document describes
   */
  constructor(document: Document, baseUrls: readonly string[], { isStrict = true } = {}) {
    this.document = document;
    this.baseUrls = baseUrls;
    this.isStrict = isStrict;
    addFormats.default(this.ajv);
    this.ajv.addSchema(document, 'openapi.json');
  }

  static async of({ base_url, auth_url = base_url }: Access, options = {}): Promise<Contract> {
    const [baseUrl, authUrl] = [base_url, auth_url].map((url) => url.replace(/\/$/, '')) as [string, string];
    const actual = await readAgain(fetch)(`${baseUrl}/openapi.json`);
    if (actual.status !== 200) throw new Error(`${baseUrl}/openapi.json responded with ${actual.status}.`);
    return new Contract((await actual.json()) as Document, [baseUrl, authUrl], options);
  }

  get cases(): Case[] {
    return casesOf(this.document).map(({ operation, status }) => ({ operation, status }));
  }

  /** Returns the case of a response, or undefined if no route has its path and method. Throws an error for any difference. */
  check(actual: ApiResponse): Case | undefined {
    const { method, status } = actual;
    const [path, item] = this.itemAt(actual.url);
    const operation = item && operationIn(item, method.toLowerCase());
    const responses = operation?.responses ?? item?.['x-other-methods'] ?? this.document['x-other-paths'];
    const response = responses[status];
    const differences = response
      ? this.differences(actual, this.resolved(response))
      : ['the status is not described'];
    if (differences.length > 0)
      throw new Error(
        `${operation?.operationId ?? 'No route'} (${method} ${path ?? new URL(actual.url).pathname}) ${status}: ${differences.join('; ')}`,
      );
    return operation && { operation: operation.operationId, status };
  }

  private itemAt(url: string): [string, PathItem] | [undefined, undefined] {
    const base = this.baseUrls.find((one) => url === one || url.startsWith(`${one}/`)) ?? '';
    const segments = segmentsOf(url.slice(base.length).replace(/[?#].*$/, ''));
    return (
      Object.entries(this.document.paths).find(([path]) => matches(segmentsOf(path), segments)) ?? [
        undefined,
        undefined,
      ]
    );
  }

  private differences(actual: ApiResponse, response: Response): string[] {
    return [
      ...this.ofHeaders(actual, response),
      ...this.ofBody(actual, response),
      ...this.ofProblem(actual, response),
    ];
  }

  private ofHeaders({ headers }: ApiResponse, response: Response): string[] {
    const described = Object.entries(response.headers).flatMap(([name, header]) => {
      const value = headers.get(name);
      const { required, schema } = this.resolvedHeader(header);
      if (value === null) return required ? [`the header ${name} is missing`] : [];
      return this.faults(schema, value, `the header ${name}`);
    });
    if (!this.isStrict) return described;
    const names = new Set(namesOf(response));
    const others = [...headers.keys()].filter(
      (name) => !names.has(name) && !ofApiGateway.has(name) && !ofTransport.test(name),
    );
    return [...described, ...others.map((name) => `the header ${name} is not described`)];
  }

  private ofBody({ method, headers, text }: ApiResponse, response: Response): string[] {
    const { content } = response;
    if (method === 'HEAD' || !content) return text === '' ? [] : ['there is a body'];
    const [mediaType = ''] = (headers.get('Content-Type') ?? '').split(';');
    const described = content[mediaType.trim()];
    if (!described) return [`the type ${mediaType} is not described`];
    if (!/[/+]json$/.test(mediaType)) return this.faults(described.schema, text, 'the body');
    try {
      return this.faults(described.schema, JSON.parse(text), 'the body');
    } catch {
      return ['the body is not JSON'];
    }
  }

  private ofProblem({ method, status, headers, text }: ApiResponse, { content }: Response): string[] {
    if (method === 'HEAD' || headers.get('Content-Type') !== 'application/problem+json') return [];
    const { type, title } = JSON.parse(text) as { type: string; title: string };
    const [, slug = type] = type.split('/docs#problem-');
    const types = content?.['application/problem+json']?.['x-problem-types'] ?? [];
    const undescribed = types.includes(slug) ? [] : [`the problem type ${slug} is not described`];
    const kind = this.document['x-problem-types'][slug];
    if (!kind) return undescribed;
    const expected = method === 'PATCH' ? (kind.patchStatus ?? kind.status) : kind.status;
    return [
      ...undescribed,
      ...(status === expected ? [] : [`the problem type ${slug} has the status ${expected}`]),
      ...(title === kind.title ? [] : [`the problem type ${slug} has the title ${kind.title}`]),
    ];
  }

  private faults(schema: Schema, value: unknown, what: string): string[] {
    const validate = this.validatorOf(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${what}${instancePath && ` at ${instancePath}`} ${message} ${JSON.stringify(params)}`,
    );
  }

  validatorOf(schema: Schema): ValidateFunction {
    const known = this.validators.get(schema);
    if (known) return known;
    const { $ref } = schema as { $ref?: string };
    const validator = this.ajv.compile($ref ? { ...schema, $ref: `openapi.json${$ref}` } : schema);
    this.validators.set(schema, validator);
    return validator;
  }

  private resolved(response: Response | Reference): Response {
    if (!('$ref' in response)) return response;
    const name = response.$ref.split('/').at(-1) ?? '';
    return this.document.components.responses[name] as Response;
  }

  private resolvedHeader(header: Header | Reference): Header {
    if (!('$ref' in header)) return header;
    const name = header.$ref.split('/').at(-1) ?? '';
    return this.document.components.headers[name] as Header;
  }
}

/** The header fields that API Gateway may add to any response. The OpenAPI document describes `x-amzn-ErrorType`. */
const ofApiGateway = new Set(Object.values(addedHeaders).map((name) => name.toLowerCase()));

/** The header fields that HTTP servers can add to any response, and those that the setting `corsOrigin` adds. */
const ofTransport =
  /^(connection|content-(encoding|length|type)|date|keep-alive|transfer-encoding|access-control-.*)$/;

/**
 * Returns the operation of a method, which is in lower case. The document has no HEAD operations, because every path that
 * supports GET also supports HEAD. The operation of HEAD is therefore the operation of GET with a name of its own.
 */
function operationIn(item: PathItem, method: string): Operation | undefined {
  if (method === 'head') return item.get && { ...item.get, operationId: `${item.get.operationId}Head` };
  return item[method as Exclude<(typeof methods)[number], 'head'>];
}

function casesOf({ paths }: Document): (Case & { response: Response | Reference })[] {
  const operations = Object.values(paths).flatMap((item) =>
    methods.map((method) => operationIn(item, method)),
  );
  return operations
    .filter((operation): operation is Operation => operation !== undefined)
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, response]) => ({
        operation: operationId,
        status: Number(status),
        response,
      })),
    );
}

function namesOf({ headers }: Response): string[] {
  return Object.keys(headers).map((name) => name.toLowerCase());
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
  );
}
