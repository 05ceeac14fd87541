import type {
  Document,
  Header,
  MediaType,
  Operation,
  Parameter,
  Reference,
  RequestBody,
  Response,
  Responses,
  Schema,
} from '../types.ts';
import { codeBlock, example, figure } from './code.ts';
import { heading } from './headings.ts';
import { type Html, html, joined, phrase, prose } from './html.ts';
import { formOf, operationsOf, type PlacedOperation, snippetsOf } from './request.ts';
import { entry, fields, nameIn, typeOf } from './schema.ts';

export function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Lets browsers break the path before each slash. */
function signature({ method, path }: PlacedOperation): Html {
  return html`<p class="signature">${badge(method)} <code>${path.split(/(?=\/)/).map((part) => html`<wbr>${part}`)}</code></p>`;
}

export function article(placed: PlacedOperation, document: Document): Html {
  const { operation } = placed;
  const { operationId, summary, description, requestBody, responses } = operation;
  const own = ownResponses(responses);
  const other = operationWithErrorsOf(operation, document);
  const common = Object.entries(responses).flatMap(([status, response]) => {
    const id = status === '304' ? notModifiedId : '$ref' in response && `common-${nameIn({ ...response })}`;
    return id ? [html`<a href="#${id}">${status}</a>`] : [];
  });
  return html`<article class="operation" aria-labelledby="${operationId}">
${heading(3, operationId, summary)}
<div class="prose">
${signature(placed)}
${prose(description)}
<p class="access">${operation.security ? 'Requires no user credentials.' : html`Requires <a href="#authentication">user credentials</a>.`}</p>
${parameters(placed)}
${requestBody && body(requestBody, operationId, document)}
${heading(4, `${operationId}-responses`, 'Responses')}
<div class="responses">${own.map(([status, response]) =>
    other && isError(status) ? plainEntry(status, response) : responseEntry(status, response, document),
  )}</div>
${other && html`<p class="common">Header fields and examples of the errors: <a href="#${other.operationId}">${other.summary}</a>.</p>`}
<p class="common">Common responses: ${joined(common, ', ')}.</p>
</div>
<div class="examples">
${example(snippetsOf(placed), html`${badge(placed.method)} Request`)}
${successExample(operation)}
<div class="try-it" data-operation="${operationId}" data-form="${JSON.stringify(formOf(placed))}"></div>
</div>
</article>
`;
}

/** Returns the responses that the section about common responses does not describe, each with its status. */
export function ownResponses(responses: Responses): [string, Response][] {
  return Object.entries(responses).filter(
    (entry): entry is [string, Response] => !('$ref' in entry[1]) && entry[0] !== '304',
  );
}

/** Returns the first operation with the same errors, or undefined if that is this operation or there are no errors. */
function operationWithErrorsOf(operation: Operation, document: Document): Operation | undefined {
  const errors = errorsOf(operation);
  const first = operationsOf(document).find((one) => errorsOf(one.operation) === errors)?.operation;
  return errors === '[]' || first === operation ? undefined : first;
}

function errorsOf({ responses }: Operation): string {
  return JSON.stringify(ownResponses(responses).filter(([status]) => isError(status)));
}

function isError(status: string): boolean {
  return status >= '400';
}

/** An operation's response to a request that succeeds for the first time. */
export interface FirstResponse {
  readonly status: string;
  /** The JSON document in the body. Absent if the body has another type. */
  readonly document?: unknown;
}

/** Returns the response to the request in the snippets: 201 or 205 if the operation lists one of them, otherwise the first. */
export function firstResponseOf({ responses }: Operation): FirstResponse {
  const [first, ...others] = ownResponses(responses);
  const [status, { content = {} }] = others.find(([status]) => ['201', '205'].includes(status)) ??
    first ?? ['', {}];
  const [media] = Object.entries(content).flatMap(([type, one]) => (type.endsWith('json') ? [one] : []));
  const [example] = Object.values(media?.examples ?? {});
  return { status, ...(example && { document: example.value }) };
}

function successExample(operation: Operation): Html | undefined {
  const { status, document } = firstResponseOf(operation);
  return document === undefined
    ? undefined
    : figure(codeBlock(textOf(document), 'json'), html`${statusBadge(status)} Response`);
}

/**
 * All 304 responses share a description. Its ID is not the name of a component, because the responses have different header
 * fields.
 */
export const notModifiedId = 'common-NotModified';

function parameters({ operation, ownParameters, commonParameters }: PlacedOperation): Html | undefined {
  if (ownParameters.length + commonParameters.length === 0) return undefined;
  const names = commonParameters.map(({ name }) => html`<code>${name}</code>`);
  return html`${heading(4, `${operation.operationId}-parameters`, 'Parameters')}
${ownParameters.length > 0 ? parameterList(ownParameters) : undefined}
${names.length > 0 ? html`<p class="common"><a href="#preconditions">Preconditions</a>: ${joined(names, ', ')}.</p>` : undefined}`;
}

export function parameterList(parameters: readonly Parameter[]): Html {
  const entries = parameters.map(({ name, in: place, schema, required, description }) =>
    entry(name, schema, { place, required, description }),
  );
  return html`<dl>${entries}</dl>`;
}

function body(
  { description, required, content }: RequestBody,
  operationId: string,
  document: Document,
): Html {
  const types = Object.keys(content).map((type) => html`<code>${type}</code>`);
  const [media] = Object.values(content);
  if (!media) return html``;
  return html`${heading(4, `${operationId}-body`, 'Request body')}
<p>${typeOf(media.schema)}, as ${joined(types, ' or ')}. ${description && phrase(description)} ${required ? html`<strong>Required.</strong>` : 'Optional.'}</p>
${fields(resolved(media.schema, document))}
${examples(media)}`;
}

export function responseEntry(status: string, response: Response, document: Document, id?: string): Html {
  const { headers, content = {} } = response;
  const own = Object.entries(headers).filter(([name]) => !onEveryResponse.has(name));
  const bodies = Object.entries(content).map(
    ([type, media]) =>
      html`<p>${typeOf(media.schema)} as <code>${type}</code>${problemLinks(media, document)}</p>${examples(media)}`,
  );
  const title = titleOf(status, response);
  const identity = id === undefined ? undefined : html` id="${id}"`;
  if (own.length === 0 && bodies.length === 0) return plainEntry(status, response, identity);
  const list = own.map(([name, header]) => {
    const { schema, required, description: usual } = resolvedHeader(header, document);
    return entry(name, withoutPattern(schema), {
      description: `${required ? '' : 'Optional. '}${header.description ?? usual}`,
    });
  });
  return html`<details class="response"${identity}><summary>${title}</summary>
<div class="details">${own.length > 0 ? html`<dl>${list}</dl>` : undefined}${bodies}</div></details>`;
}

function plainEntry(status: string, response: Response, identity?: Html): Html {
  return html`<p class="response"${identity}>${titleOf(status, response)}</p>`;
}

function titleOf(status: string, { description }: Response): Html {
  return html`${statusBadge(status)} <span>${phrase(description)}</span>`;
}

function statusBadge(status: string): Html {
  return html`<strong class="status s${status[0]}">${status}</strong>`;
}

/** Returns links to the kinds of problems in a body's examples, or undefined if there are none. */
function problemLinks({ examples: known = {} }: MediaType, document: Document): Html | undefined {
  const types = Object.values(known).map(({ value }) => String(Object(value).type));
  const slugs = Object.keys(document['x-problem-types']).filter((slug) =>
    types.some((type) => type.endsWith(`#${problemId(slug)}`)),
  );
  const links = slugs.map((slug) => html`<a href="#${problemId(slug)}"><code>${slug}</code></a>`);
  return links.length > 0 ? html`: ${joined(links, ', ')}` : undefined;
}

/** The fragment of a problem document's `type`. */
export function problemId(slug: string): string {
  return `problem-${slug}`;
}

/** The page describes these header fields once. */
const onEveryResponse = new Set(['X-Request-Id', 'X-Content-Type-Options', 'Cache-Control']);

/** Only programs need the pattern. */
function withoutPattern({ pattern: _, ...schema }: Schema): Schema {
  return schema;
}

function examples({ examples: known = {} }: MediaType): Html[] {
  return Object.values(known).map(
    ({ summary, value }) => html`<details class="example"><summary>Example: ${summary}</summary>
${codeBlock(textOf(value), typeof value === 'string' ? 'text' : 'json')}</details>`,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function resolved(schema: Schema, { components }: Document): Schema {
  return components.schemas[nameIn(schema) ?? ''] ?? schema;
}

function resolvedHeader(header: Header | Reference, { components }: Document): Header {
  return 'schema' in header ? header : (components.headers[nameIn({ ...header }) ?? ''] as Header);
}
