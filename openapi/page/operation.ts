import type { Document } from '../document.ts';
import type { MediaType, Operation, Parameter, Response, Responses } from '../types.ts';
import { codeBlock, example, figure } from './code.ts';
import { type Html, heading, html, joined, phrase, prose } from './html.ts';
import { formOf, type PlacedOperation, snippetsOf } from './request.ts';
import { entry, fields, nameIn, typeOf } from './schema.ts';

export function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** The `wbr` elements let browsers break the path before each slash. */
export function article(placed: PlacedOperation, document: Document): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description, responses } = operation;
  const common = Object.entries(responses).flatMap(([status, response]) => {
    const id = status === '304' ? notModifiedId : '$ref' in response && `common-${nameIn(response)}`;
    return id ? [html`<a href="#${id}">${status}</a>`] : [];
  });
  return html`<article class="operation" aria-labelledby="${operationId}">
${heading(3, operationId, summary)}
<div class="prose">
<p class="signature">${badge(method)} <code>${path.split(/(?=\/)/).map((part) => html`<wbr>${part}`)}</code></p>
${prose(description)}
<p class="access">${operation.security ? 'Requires no user credentials.' : html`Requires <a href="#authentication">user credentials</a>.`}</p>
${parameters(placed)}
${requestBody(operation, document)}
${heading(4, `${operationId}-responses`, 'Responses')}
<div class="responses">${ownResponses(responses).map(([status, response]) => responseEntry(status, response, document))}</div>
<p class="common">Common responses: ${joined(common, ', ')}.</p>
</div>
<div class="examples">
${example(snippetsOf(placed), html`${badge(method)} Request`)}
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

/**
 * Returns an operation's response to the request in the snippets: 201 or 205 if the operation lists one of them, otherwise the
 * first. `document` is the JSON document in the body, and undefined if the body has another type.
 */
export function firstResponseOf({ responses }: Operation) {
  const own = ownResponses(responses);
  const [status, { content = {} }] = own.find(([one]) => ['201', '205'].includes(one)) ?? own[0] ?? ['', {}];
  const media = Object.entries(content).find(([type]) => type.endsWith('json'))?.[1];
  const [example] = Object.values(media?.examples ?? {});
  return { status, document: example?.value };
}

function successExample(operation: Operation): Html | undefined {
  const { status, document } = firstResponseOf(operation);
  return document === undefined ? undefined : figure(codeOf(document), html`${statusBadge(status)} Response`);
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
${parameterList(ownParameters)}
${names.length > 0 && html`<p class="common"><a href="#preconditions">Preconditions</a>: ${joined(names, ', ')}.</p>`}`;
}

export function parameterList(parameters: readonly Parameter[]): Html | undefined {
  const entries = parameters.map(({ name, in: place, schema, required, description }) =>
    entry(name, schema, { place, required, description }),
  );
  return entries.length > 0 ? html`<dl>${entries}</dl>` : undefined;
}

function requestBody({ operationId, requestBody }: Operation, { components }: Document): Html | undefined {
  const { description, required, content = {} } = requestBody ?? {};
  const [media] = Object.values(content);
  if (!media) return undefined;
  const types = Object.keys(content).map((type) => html`<code>${type}</code>`);
  return html`${heading(4, `${operationId}-body`, 'Request body')}
<p>${typeOf(media.schema)}, as ${joined(types, ' or ')}. ${description && phrase(description)} ${required ? html`<strong>Required.</strong>` : 'Optional.'}</p>
${fields(components.schemas[nameIn(media.schema) ?? ''] ?? media.schema)}
${examples(media)}`;
}

/** The page describes these header fields once. */
const describedOnce = new Set([
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'x-amzn-ErrorType',
]);

export function responseEntry(status: string, response: Response, document: Document, id?: string): Html {
  const { description, headers, content = {} } = response;
  const title = html`${statusBadge(status)} <span>${phrase(description)}</span>`;
  const identity = id && html` id="${id}"`;
  const own = Object.entries(headers).flatMap(([name, header]) => {
    const component = document.components.headers[nameIn(header) ?? ''];
    // Only programs need the pattern.
    const { schema: { pattern: _, ...schema } = {}, required, description } = { ...component, ...header };
    return describedOnce.has(name)
      ? []
      : entry(name, schema, { description: `${required ? '' : 'Optional. '}${description}` });
  });
  const bodies = Object.entries(content).map(
    ([type, media]) =>
      html`<p>${typeOf(media.schema)} as <code>${type}</code>${problemLinks(media)}</p>${!media['x-problem-types'] && examples(media)}`,
  );
  if (own.length + bodies.length === 0) return html`<p class="response"${identity}>${title}</p>`;
  return html`<details class="response"${identity}><summary>${title}</summary>
<div class="details">${own.length > 0 && html`<dl>${own}</dl>`}${bodies}</div></details>`;
}

function statusBadge(status: string): Html {
  return html`<strong class="status s${status[0]}">${status}</strong>`;
}

function problemLinks({ 'x-problem-types': types = [] }: MediaType): Html | undefined {
  const slugs = types.filter((type) => type !== 'about:blank');
  const links = slugs.map((slug) => html`<a href="#${problemId(slug)}"><code>${slug}</code></a>`);
  return links.length > 0 ? html`: ${joined(links, ', ')}` : undefined;
}

/** The fragment of a problem document's `type`. */
export function problemId(slug: string): string {
  return `problem-${slug}`;
}

function examples({ examples: known = {} }: MediaType): Html[] {
  return Object.values(known).map(
    ({ summary, value }) => html`<details class="example"><summary>Example: ${summary}</summary>
${codeOf(value)}</details>`,
  );
}

export function codeOf(value: unknown): Html {
  return typeof value === 'string' ? codeBlock(value) : codeBlock(JSON.stringify(value, null, 2), 'json');
}
