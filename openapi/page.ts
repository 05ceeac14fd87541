import type { Route } from '../lambdas/contract/routes.ts';
import { type Html, html, phrase, prose } from './page/html.ts';
import { article, type PlacedOperation, problemId, responseEntry, signature } from './page/operation.ts';
import { fields, idOf, nameIn } from './page/schema.ts';
import { style } from './page/style.ts';
import { commonStatuses, referenceTo } from './responses.ts';
import type { Document, PathItem, ProblemDescription, Response, Responses } from './types.ts';

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Returns the description as an HTML page for people. The page has no script and loads no other files. */
export function docsPage(document: Document): string {
  const groups = document.tags.map(({ name, 'x-displayName': heading, description }) => ({
    id: `group-${name.toLowerCase().replaceAll(' ', '-')}`,
    heading,
    description,
    operations: operationsOf(document).filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { title, summary, description } = document.info;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}: the API</title>
<style>${{ html: style }}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="summary">${summary}</p>
</header>
<div class="columns">
<nav aria-label="Contents">
${groups.map(contents)}
<h2>Reference</h2>
<ul>
<li><a href="#credentials">Credentials</a></li>
<li><a href="#common">Common responses</a></li>
<li><a href="#problems">Problems</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>
</nav>
<main>
${prose(description)}
<p>The machine-readable version of this page is <a href="{{root}}openapi.json"><code>openapi.json</code></a> (OpenAPI ${document.openapi}). Import it into an API client or a code generator.</p>
${groups.map((group) => section(group, document))}
${credentials(document)}
${commonResponses(document)}
${problems(document)}
${schemas(document)}
</main>
</div>
</body>
</html>
`;
  return page.html;
}

/** A tag with its operations. */
interface Group {
  readonly id: string;
  readonly heading: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

function operationsOf({ paths }: Document): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]: [string, PathItem]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation, item }] : [];
    }),
  );
}

function contents({ id, heading, operations }: Group): Html {
  const links = operations.map(
    (placed) => html`<li><a href="#${placed.operation.operationId}">${signature(placed)}</a></li>\n`,
  );
  return html`<h2><a href="#${id}">${heading}</a></h2>
<ul>
${links}</ul>
`;
}

function section({ id, heading, description, operations }: Group, document: Document): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<p>${phrase(description)}</p>
${operations.map((placed) => article(placed, document))}
</section>
`;
}

function credentials({ components }: Document): Html {
  const schemes = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => html`<dt><code>${name}</code></dt><dd>${description}</dd>`,
  );
  return html`<section aria-labelledby="credentials">
<h2 id="credentials">Credentials</h2>
<p>Most operations require user credentials in the <code>Authorization</code> header, in one of the following schemes. The operations in the groups “Access tokens” and “About the service” do not require user credentials.</p>
<dl>${schemes}</dl>
</section>
`;
}

function commonResponses(document: Document): Html {
  const ofUsers = commonEntries('user', document);
  const ofOthers = commonEntries('public', document).filter(({ name }) =>
    ofUsers.every((entry) => entry.name !== name),
  );
  const ofOtherPaths = ownResponses(document['x-other-paths']);
  const [ofOtherMethods = []] = Object.values(document.paths).map((item) =>
    ownResponses(item['x-other-methods'] ?? {}),
  );
  return html`<section aria-labelledby="common">
<h2 id="common">Common responses</h2>
<p>Every response has the header fields <code>X-Request-Id</code>, <code>X-Content-Type-Options</code> and <code>Cache-Control</code>, except the <a href="#common-ContentTooLarge">413</a> that API Gateway generates itself. <code>Cache-Control</code> states whether caches may store the response. For most responses, they must not.</p>
<p>Most operations can return these responses. Each operation lists the ones that it can return.</p>
${ofUsers.map(({ entry }) => entry)}
<h3>Operations that require no user credentials</h3>
<p>For these operations, the following responses replace the responses above that have the same status.</p>
${ofOthers.map(({ entry }) => entry)}
<h3>Unknown paths and methods</h3>
${[...ofOtherPaths, ...ofOtherMethods].map(([status, response]) => responseEntry(status, response, document))}
</section>
`;
}

/** Returns the entries of the common responses of operations with this access, each with the name of its component. */
function commonEntries(access: Route['access'], document: Document): { name: string; entry: Html }[] {
  return commonStatuses(access).flatMap((status) => {
    const name = nameIn({ ...referenceTo(status, access) }) ?? '';
    const response = document.components.responses[name];
    return response
      ? [{ name, entry: responseEntry(String(status), response, document, `common-${name}`) }]
      : [];
  });
}

/** Returns the responses that are not references to common responses, each with its status. */
function ownResponses(responses: Responses): [string, Response][] {
  return Object.entries(responses).filter((entry): entry is [string, Response] => !('$ref' in entry[1]));
}

/** Returns a section for each kind of problem. The `type` of a problem document links to it. */
function problems(document: Document): Html {
  const entries = Object.entries(document['x-problem-types']).map(
    ([slug, kind]) => html`<article aria-labelledby="${problemId(slug)}">
<h3 id="${problemId(slug)}">${kind.title}</h3>
<p><code>${slug}</code>, ${statusesOf(kind)}</p>
<p>${phrase(kind.meaning)} ${phrase(kind.remedy)}</p>
</article>
`,
  );
  return html`<section aria-labelledby="problems">
<h2 id="problems">Problems</h2>
<p>The <code>type</code> of a problem document is the URL of one of the sections below. Programs should compare only the end of the URL, such as <code>#problem-dog-not-found</code>. A response that API Gateway generates itself has the type <code>about:blank</code>, because API Gateway does not know the URL of the service. In that case, only the status identifies the problem.</p>
${entries}
</section>
`;
}

function statusesOf({ status, patchStatus }: ProblemDescription): string {
  return patchStatus === undefined
    ? `status ${status}.`
    : `status ${status}, or ${patchStatus} in response to PATCH.`;
}

function schemas({ components }: Document): Html {
  const entries = Object.entries(components.schemas).map(
    ([name, schema]) => html`<article aria-labelledby="${idOf(name)}">
<h3 id="${idOf(name)}">${name}</h3>
<p>${schema.description as string}</p>
${fields(schema)}
</article>
`,
  );
  return html`<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
<p>Bodies are JSON in UTF-8. The service rejects unknown fields, except in a token request.</p>
${entries}
</section>
`;
}
