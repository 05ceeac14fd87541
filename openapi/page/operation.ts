import type {
  Document,
  Header,
  MediaType,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  Schema,
} from '../types.ts';
import { type Html, html, joined, phrase, prose } from './html.ts';
import { entry, fields, nameIn, typeOf } from './schema.ts';

/** An operation with its method and its path. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly item: PathItem;
}

/** Returns a method and a path, for a heading or a link. */
export function signature({ method, path }: PlacedOperation): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code>`;
}

/** Returns a path that browsers may break before each slash. */
function breakable(path: string): Html[] {
  return path.split(/(?=\/)/).map((part) => html`<wbr>${part}`);
}

/** Returns the full description of an operation. */
export function article(placed: PlacedOperation, document: Document): Html {
  const { operation, item } = placed;
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = [...(item.parameters ?? []), ...((operation.parameters ?? []) as readonly Parameter[])];
  const own = Object.entries(responses).filter((one): one is [string, Response] => !('$ref' in one[1]));
  const common = Object.entries(responses).filter((one): one is [string, Reference] => '$ref' in one[1]);
  return html`<article aria-labelledby="${operationId}">
<h3 id="${operationId}">${signature(placed)}</h3>
<p class="summary">${summary}</p>
${prose(description)}
<p class="access">${operation.security ? 'Requires no user credentials.' : 'Requires user credentials.'}</p>
${parameters.length > 0 ? parameterList(parameters, operationId) : undefined}
${requestBody && body(requestBody, operationId, document)}
<h4 id="${operationId}-responses">Responses</h4>
${own.map(([status, response]) => responseEntry(status, response, document))}
<p>Common responses: ${joined(
    common.map(([status, reference]) => html`<a href="#common-${nameIn({ ...reference })}">${status}</a>`),
    ', ',
  )}.</p>
</article>
`;
}

function parameterList(parameters: readonly Parameter[], operationId: string): Html {
  const entries = parameters.map(({ name, in: place, schema, required, description }) =>
    entry(name, schema, { place, required, description }),
  );
  return html`<h4 id="${operationId}-parameters">Parameters</h4>
<dl>${entries}</dl>`;
}

function body(
  { description, required, content }: RequestBody,
  operationId: string,
  document: Document,
): Html {
  const types = Object.keys(content).map((type) => html`<code>${type}</code>`);
  const [media] = Object.values(content);
  if (!media) return html``;
  return html`<h4 id="${operationId}-body">Request body</h4>
<p>${typeOf(media.schema)}, as ${joined(types, ' or ')}. ${description && phrase(description)} ${required ? html`<strong>Required.</strong>` : 'Optional.'}</p>
${fields(resolved(media.schema, document))}
${examples(media, true)}`;
}

/** Returns one response: its status, its header fields and its bodies. */
export function responseEntry(status: string, response: Response, document: Document, id?: string): Html {
  const { description, headers, content = {} } = response;
  const own = Object.entries(headers).filter(([name]) => !onEveryResponse.has(name));
  const bodies = Object.entries(content).map(
    ([type, media]) =>
      html`<p>${typeOf(media.schema)} as <code>${type}</code>${problemLinks(media, document)}</p>${examples(media)}`,
  );
  const heading = html`<p class="response"${id === undefined ? undefined : html` id="${id}"`}><strong>${status}</strong> ${phrase(description)}</p>`;
  const list = own.map(([name, header]) => {
    const { schema, required, description: usual } = resolvedHeader(header, document);
    return entry(name, withoutPattern(schema), {
      description: `${required ? '' : 'Optional. '}${header.description ?? usual}`,
    });
  });
  return html`${heading}
<div class="details">${own.length > 0 ? html`<dl>${list}</dl>` : undefined}${bodies}</div>`;
}

/** Returns links to the kinds of problems in the examples of a body, or undefined if no example is a problem with a kind. */
function problemLinks({ examples: known = {} }: MediaType, document: Document): Html | undefined {
  const types = Object.values(known).map(({ value }) => String(Object(value).type));
  const slugs = Object.keys(document['x-problem-types']).filter((slug) =>
    types.some((type) => type.endsWith(`#${problemId(slug)}`)),
  );
  const links = slugs.map((slug) => html`<a href="#${problemId(slug)}"><code>${slug}</code></a>`);
  return links.length > 0 ? html`: ${joined(links, ', ')}` : undefined;
}

/** Returns the ID of the section about a kind of problem. The ID is the fragment of the `type` of a problem document. */
export function problemId(slug: string): string {
  return `problem-${slug}`;
}

/** The header fields of every response. The page describes them once. */
const onEveryResponse = new Set(['X-Request-Id', 'X-Content-Type-Options', 'Cache-Control']);

/** Returns the schema of a header field without its pattern, which only programs need. */
function withoutPattern({ pattern: _, ...schema }: Schema): Schema {
  return schema;
}

function examples({ examples: known = {} }: MediaType, shown = false): Html[] {
  return Object.values(known).map(
    ({ summary, value }) => html`<details${shown ? ' open' : ''}><summary>Example: ${summary}</summary>
<pre>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre></details>`,
  );
}

/** Returns the schema that a reference leads to, or the schema itself. */
function resolved(schema: Schema, { components }: Document): Schema {
  return components.schemas[nameIn(schema) ?? ''] ?? schema;
}

function resolvedHeader(header: Header | Reference, { components }: Document): Header {
  return 'schema' in header ? header : (components.headers[nameIn({ ...header }) ?? ''] as Header);
}
