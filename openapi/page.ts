import type { Route } from '../lambdas/contract/routes.ts';
import { guides } from './page/guides.ts';
import { heading } from './page/headings.ts';
import { type Html, html, phrase, prose } from './page/html.ts';
import { type Contents, navigation } from './page/navigation.ts';
import {
  article,
  badge,
  notModifiedId,
  ownResponses,
  parameterList,
  problemId,
  responseEntry,
} from './page/operation.ts';
import { operationsOf, type PlacedOperation } from './page/request.ts';
import { fields, idOf, nameIn } from './page/schema.ts';
import { variantCards } from './page/variants.ts';
import { commonStatuses, notModified, referenceTo } from './responses.ts';
import type { Document, ProblemDescription } from './types.ts';

/**
 * Returns the description as an HTML page that can be read without scripts. The page's `style` and `script` elements are empty.
 * `{{header}}` stands for the header, and `{{root}}` for the service's URL.
 */
export function docsPage(document: Document): string {
  const groups = document.tags.map(({ name, 'x-displayName': title, description }) => ({
    id: `group-${name.toLowerCase().replaceAll(' ', '-')}`,
    title,
    description,
    operations: operationsOf(document).filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { title, summary, description } = document.info;
  const [introduction = '', ...chapters] = description.split(/\n\n(?=## )/);
  const page = html`<!doctype html>
<html lang="en" data-page="docs">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: documentation</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style></style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
{{header}}
<div class="layout">
${navigation(contentsOf(groups))}
<main id="content">
<div class="intro">
<h1>${title}</h1>
<p class="summary">${summary}</p>
${prose(introduction)}
<p>The machine-readable version of this page is <a href="{{root}}openapi.json"><code>openapi.json</code></a> (OpenAPI ${document.openapi}). Import it into an API client or a code generator.</p>
</div>
${guideSections(document)}
${rules(chapters)}
${groups.map((group) => section(group, document))}
${commonResponses(document)}
${problems(document)}
${schemas(document)}
</main>
</div>
<script type="module"></script>
</body>
</html>
`;
  return page.html;
}

const icon =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='#b4521f'><circle cx='3' cy='7' r='1.8'/><circle cx='6.2' cy='4' r='2'/><circle cx='9.8' cy='4' r='2'/><circle cx='13' cy='7' r='1.8'/><ellipse cx='8' cy='11' rx='4' ry='3.4'/></svg>";

interface Group {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

function contentsOf(groups: readonly Group[]): Contents[] {
  return [
    { title: 'Guides', entries: guides().map(({ id, title }) => ({ id, title: html`${title}` })) },
    ...groups.map(({ id, title, operations }) => ({
      id,
      title,
      entries: operations.map(({ method, operation }) => ({
        id: operation.operationId,
        title: html`<span>${operation.summary}</span> ${badge(method)}`,
      })),
    })),
    {
      title: 'Reference',
      entries: [
        { id: 'rules', title: html`Rules for all operations` },
        { id: 'common', title: html`Common responses` },
        { id: 'problems', title: html`Problems` },
        { id: 'schemas', title: html`Schemas` },
      ],
    },
  ];
}

function guideSections(document: Document): Html[] {
  return guides().map(
    ({ id, title, html: content }) => html`<article class="guide" aria-labelledby="${id}">
${heading(2, id, title)}
${id === 'variants' ? variantCards(document) : undefined}
${content}
</article>
`,
  );
}

/** The guides replace the description's chapter about the variants. */
function rules(chapters: readonly string[]): Html[] {
  return chapters
    .filter((chapter) => !chapter.startsWith('## Three variants'))
    .map((chapter) => {
      const [title = '', ...blocks] = chapter.split('\n\n');
      return html`<section class="text" aria-labelledby="rules">
${heading(2, 'rules', title.replace('## ', ''))}
${prose(blocks.join('\n\n'))}
</section>
`;
    });
}

function section({ id, title, description, operations }: Group, document: Document): Html {
  return html`<section class="group" aria-labelledby="${id}">
${heading(2, id, title)}
<p>${phrase(description)}</p>
${operations.map((placed) => article(placed, document))}
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
  return html`<section class="text" aria-labelledby="common">
${heading(2, 'common', 'Common responses')}
<p>Every response has the header fields <code>X-Content-Type-Options</code> and <code>Cache-Control</code>, except the <a href="#common-ContentTooLarge">413</a> that API Gateway generates itself. Every response has <code>X-Request-Id</code> unless API Gateway generates it itself. <code>Cache-Control</code> states whether caches may store the response. For most responses, they must not.</p>
<p>Most operations can return these responses. Each operation lists the ones that it can return.</p>
<div class="responses">${ofUsers.map(({ entry }) => entry)}</div>
${heading(3, 'common-public', 'Operations that require no user credentials')}
<p>For these operations, the following responses replace the responses above that have the same status.</p>
<div class="responses">${ofOthers.map(({ entry }) => entry)}</div>
${preconditions(document)}
${heading(3, 'common-unknown', 'Unknown paths and methods')}
<div class="responses">${[...ofOtherPaths, ...ofOtherMethods].map(([status, response]) => responseEntry(status, response, document))}</div>
</section>
`;
}

function preconditions(document: Document): Html {
  const { parameters, responses } = document.components;
  const failed = Object.entries(responses).filter(([name]) => name === 'PreconditionFailed');
  return html`${heading(3, 'preconditions', 'Preconditions')}
<p>The <a href="#rules">rules for all operations</a> state how the service responds if a precondition is false. The guide about <a href="#retries-conditional-requests">conditional requests</a> lists the resources with an <code>ETag</code> or a <code>Last-Modified</code>.</p>
${parameterList(Object.values(parameters))}
<div class="responses">${responseEntry('304', notModified(), document, notModifiedId)}${failed.map(([name, response]) => responseEntry('412', response, document, `common-${name}`))}</div>`;
}

function commonEntries(access: Route['access'], document: Document): { name: string; entry: Html }[] {
  return commonStatuses(access).flatMap((status) => {
    const name = nameIn({ ...referenceTo(status, access) }) ?? '';
    const response = document.components.responses[name];
    return response
      ? [{ name, entry: responseEntry(String(status), response, document, `common-${name}`) }]
      : [];
  });
}

/** A problem document's `type` links to the section about that kind of problem. */
function problems(document: Document): Html {
  const entries = Object.entries(document['x-problem-types']).map(
    ([slug, kind]) => html`<article aria-labelledby="${problemId(slug)}">
${heading(3, problemId(slug), kind.title)}
<p class="facts"><code>${slug}</code> ${statusesOf(kind)}</p>
<p>${phrase(kind.meaning)} ${phrase(kind.remedy)}</p>
</article>
`,
  );
  return html`<section class="text" aria-labelledby="problems">
${heading(2, 'problems', 'Problems')}
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
${heading(3, idOf(name), name)}
<p>${schema.description as string}</p>
${fields(schema)}
</article>
`,
  );
  return html`<section class="text" aria-labelledby="schemas">
${heading(2, 'schemas', 'Schemas')}
<p>Bodies are JSON in UTF-8. Other bytes reach the service as U+FFFD, like that character itself. The service rejects unknown fields, except in a token request.</p>
${entries}
</section>
`;
}
