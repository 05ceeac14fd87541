import { type Html, html, phrase, prose } from './page/html.ts';
import { answer, article, type Placed, signature } from './page/operation.ts';
import { fields, nameIn, placeOf } from './page/schema.ts';
import { style } from './page/style.ts';
import { commonResponse, commonStatuses } from './responses.ts';
import type { Document, PathItem } from './types.ts';

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** The headings of the parts of the interface. The other parts have the names of their variants. */
const headings: Readonly<Record<string, string>> = {
  token: 'Access tokens',
  extension: 'Beside the variants',
};

/** Returns the description as an HTML page, which needs no script and loads no other resource. */
export function docsPage(document: Document): string {
  const parts = document.tags.map(({ name, description }) => ({
    id: `part-${name}`,
    heading: headings[name] ?? `Variant ${name}`,
    description,
    operations: operationsOf(document).filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { title, summary, description } = document.info;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}: the interface</title>
<style>${{ html: style }}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="summary">${summary}</p>
</header>
<div class="columns">
<nav aria-label="Contents">
${parts.map(contents)}
<h2>Everywhere</h2>
<ul>
<li><a href="#credentials">Credentials</a></li>
<li><a href="#any">What any route may answer</a></li>
<li><a href="#documents">Documents</a></li>
</ul>
</nav>
<main>
${prose(description)}
<p>For programs the same is at <a href="{{root}}openapi.json"><code>openapi.json</code></a> (OpenAPI ${document.openapi}).</p>
${parts.map((part) => section(part, document))}
${credentials(document)}
${anyRoute(document)}
${documents(document)}
</main>
</div>
</body>
</html>
`;
  return page.html;
}

interface Part {
  readonly id: string;
  readonly heading: string;
  readonly description: string;
  readonly operations: readonly Placed[];
}

function operationsOf({ paths }: Document): Placed[] {
  return Object.entries(paths).flatMap(([path, item]: [string, PathItem]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation, item }] : [];
    }),
  );
}

function contents({ id, heading, operations }: Part): Html {
  const links = operations.map(
    (placed) => html`<li><a href="#${placed.operation.operationId}">${signature(placed)}</a></li>\n`,
  );
  return html`<h2><a href="#${id}">${heading}</a></h2>
<ul>
${links}</ul>
`;
}

function section({ id, heading, description, operations }: Part, document: Document): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<p>${phrase(description)}.</p>
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
<p>In the header field <code>Authorization</code>, one of these:</p>
<dl>${schemes}</dl>
</section>
`;
}

function anyRoute(document: Document): Html {
  const answers = commonStatuses.map((status) => {
    const { $ref } = commonResponse(status);
    const response = document.components.responses[nameIn({ $ref }) ?? ''];
    return response && answer(String(status), response, document, `any-${status}`);
  });
  const others = Object.entries(document['x-other-paths']).flatMap(([status, response]) =>
    '$ref' in response ? [] : [answer(status, response, document)],
  );
  return html`<section aria-labelledby="any">
<h2 id="any">What any route may answer</h2>
<p>Each answer has an <code>X-Request-Id</code>, and says by <code>Cache-Control</code> whether it may be kept; most may not.</p>
${answers}
<h3>What is no route</h3>
${others}
</section>
`;
}

function documents({ components }: Document): Html {
  const entries = Object.entries(components.schemas).map(
    ([name, schema]) => html`<article aria-labelledby="${placeOf(name)}">
<h3 id="${placeOf(name)}">${name}</h3>
<p>${schema.description as string}.</p>
${fields(schema)}
</article>
`,
  );
  return html`<section aria-labelledby="documents">
<h2 id="documents">Documents</h2>
<p>JSON, in UTF-8; other fields than these are refused, but for those of a request for a token.</p>
${entries}
</section>
`;
}
