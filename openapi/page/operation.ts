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
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly item: PathItem;
}

/** Returns a method and a path, for a heading or for the link to it. */
export function signature({ method, path, item }: Placed): Html {
  const also = method === 'GET' && item.head ? ', HEAD' : '';
  return html`<span class="method ${method.toLowerCase()}">${method}${also}</span> <code>${breakable(path)}</code>`;
}

/** Returns a path in which a line may break before each part. */
function breakable(path: string): Html[] {
  return path.split(/(?=\/)/).map((part) => html`<wbr>${part}`);
}

/** Returns the description of an operation. */
export function article(placed: Placed, document: Document): Html {
  const { operation, item } = placed;
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = [...(item.parameters ?? []), ...((operation.parameters ?? []) as readonly Parameter[])];
  const own = Object.entries(responses).filter((one): one is [string, Response] => !('$ref' in one[1]));
  const common = Object.keys(responses).filter((status) => !own.some(([known]) => known === status));
  return html`<article aria-labelledby="${operationId}">
<h3 id="${operationId}">${signature(placed)}</h3>
<p class="summary">${summary}</p>
${prose(description)}
<p class="access">${operation.security ? 'Anybody may call it.' : 'It needs credentials.'}</p>
${parameters.length > 0 ? parameterList(parameters, operationId) : undefined}
${requestBody && body(requestBody, operationId, document)}
<h4 id="${operationId}-answers">Answers</h4>
${own.map(([status, response]) => answer(status, response, document))}
<p>And as any route may: ${joined(
    common.map((status) => html`<a href="#any-${status}">${status}</a>`),
    ', ',
  )}.</p>
</article>
`;
}

function parameterList(parameters: readonly Parameter[], operationId: string): Html {
  const places = { header: 'in the header', path: 'in the path', query: 'in the query' };
  const entries = parameters.map(({ name, in: place, schema, required, description }) =>
    entry(name, schema, { place: places[place], required, description }),
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
  return html`<h4 id="${operationId}-body">Body</h4>
<p>${typeOf(media.schema)}, as ${joined(types, ' or ')}. ${description && phrase(description)} ${required ? undefined : 'It may be left out.'}</p>
${fields(resolved(media.schema, document))}
${examples(media, true)}`;
}

/** Returns the description of a response: its status, its header fields and its body. */
export function answer(status: string, response: Response, document: Document, id?: string): Html {
  const { description, headers, content = {} } = response;
  const own = Object.entries(headers).filter(([name]) => !everywhere.has(name));
  const bodies = Object.entries(content).map(
    ([type, media]) => html`<p>${typeOf(media.schema)} as <code>${type}</code></p>${examples(media)}`,
  );
  const heading = html`<p class="answer"${id === undefined ? undefined : html` id="${id}"`}><strong>${status}</strong> ${phrase(description)}</p>`;
  const list = own.map(([name, header]) => {
    const { schema, required, description: usual } = resolvedHeader(header, document);
    return entry(name, withoutPattern(schema), {
      description: `${header.description ?? usual}${required ? '' : ' (not always)'}`,
    });
  });
  return html`${heading}
<div class="details">${own.length > 0 ? html`<dl>${list}</dl>` : undefined}${bodies}</div>`;
}

/** The header fields of all responses, which the page describes once. */
const everywhere = new Set(['X-Request-Id', 'X-Content-Type-Options', 'Cache-Control']);

/** Returns a schema without its pattern, because the patterns of header fields are for programs. */
function withoutPattern({ pattern: _, ...schema }: Schema): Schema {
  return schema;
}

function examples({ examples: known = {} }: MediaType, shown = false): Html[] {
  return Object.entries(known).map(
    ([name, { value }]) => html`<details${shown ? ' open' : ''}><summary>Example: ${inWords(name)}</summary>
<pre>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre></details>`,
  );
}

/** Returns a name as words: `everyTenMinutes` becomes `every ten minutes`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function resolved(schema: Schema, { components }: Document): Schema {
  return components.schemas[nameIn(schema) ?? ''] ?? schema;
}

function resolvedHeader(header: Header | Reference, { components }: Document): Header {
  return 'schema' in header ? header : (components.headers[nameIn({ ...header }) ?? ''] as Header);
}
