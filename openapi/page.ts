import type { Document } from './document.ts';
import { guides } from './page/guides.ts';
import { type Html, heading, html, phrase, prose } from './page/html.ts';
import {
  article,
  badge,
  codeOf,
  notModifiedId,
  ownResponses,
  parameterList,
  problemId,
  responseEntry,
} from './page/operation.ts';
import { operationsOf } from './page/request.ts';
import { fields, nameIn } from './page/schema.ts';
import type { ProblemDescription } from './types.ts';

/** A part of the page, and its entry in the contents. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

interface Group extends Section {
  /** The entries below the group's title in the contents. */
  readonly entries: readonly { readonly id: string; readonly title: Html }[];
}

/**
 * Returns the description as an HTML page that can be read without scripts. The page's `style` and `script` elements are empty.
 * `{{header}}` stands for the header, and `{{root}}` for the service's URL.
 */
export function docsPage(document: Document): string {
  const { title, summary, description } = document.info;
  const [introduction = '', ...chapters] = description.split(/\n\n(?=## )/);
  const [rules = ''] = chapters.flatMap(
    (chapter) => chapter.split('## Rules for all operations\n\n')[1] ?? [],
  );
  const groups = groupsOf(document);
  const reference: readonly Section[] = [
    { id: 'rules', title: 'Rules for all operations', content: prose(rules) },
    { id: 'common', title: 'Common responses', content: commonResponses(document) },
    { id: 'problems', title: 'Problems', content: problems(document) },
    { id: 'schemas', title: 'Schemas', content: schemas(document) },
  ];
  const page = html`<!doctype html>
<html lang="en" data-path="/docs">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: documentation</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style></style>
</head>
<body>
<a class="skip visually-hidden" href="#content">Skip to the content</a>
{{header}}
<div class="layout">
<button type="button" class="open-contents" popovertarget="contents"><span aria-hidden="true">☰</span> Contents</button>
<nav id="contents" popover aria-label="Contents">
<div id="search"></div>
${contents('Guides', guides())}
${groups.map(({ id, title, entries }) => contents(html`<a href="#${id}">${title}</a>`, entries))}
${contents('Reference', reference)}
</nav>
<main id="content">
<div class="intro">
<h1>${title}</h1>
<p class="summary">${summary}</p>
${prose(introduction)}
<p>The machine-readable version of this page is <a href="{{root}}openapi.json"><code>openapi.json</code></a> (OpenAPI ${document.openapi}). Import it into an API client or a code generator.</p>
</div>
${guides().map(({ html: content, ...guide }) => section('guide', { ...guide, content }))}
${groups.map((group) => section('group', group))}
${reference.map((one) => section('text', one))}
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

/** A wide window shows the contents beside the page, and a narrow window shows them in a popover. */
function contents(
  title: Html | string,
  entries: readonly { readonly id: string; readonly title: Html | string }[],
): Html {
  return html`<h2>${title}</h2>
<ul>
${entries.map((entry) => html`<li><a href="#${entry.id}">${entry.title}</a></li>\n`)}</ul>
`;
}

/** A guide is no `section`, because some guides have the title of a section, and landmarks need unique names. */
function section(kind: 'group' | 'guide' | 'text', { id, title, content }: Section): Html {
  const tag = { html: kind === 'guide' ? 'article' : 'section' };
  return html`<${tag} class="${kind}" aria-labelledby="${id}">
${heading(2, id, title)}
${content}
</${tag}>
`;
}

function groupsOf(document: Document): Group[] {
  return document.tags.map(({ name, 'x-displayName': title, description }) => {
    const operations = operationsOf(document).filter(({ operation }) => operation.tags.includes(name));
    return {
      id: `group-${name.toLowerCase().replaceAll(' ', '-')}`,
      title,
      content: html`<p>${phrase(description)}</p>\n${operations.map((placed) => article(placed, document))}`,
      entries: operations.map(({ method, operation }) => ({
        id: operation.operationId,
        title: html`<span>${operation.summary}</span> ${badge(method)}`,
      })),
    };
  });
}

function commonResponses(document: Document): Html {
  const { parameters, responses } = document.components;
  const referrers = operationsOf(document).map(({ operation }) => operation.responses);
  const statuses = new Map(
    referrers.flatMap((one) => Object.entries(one).map(([status, response]) => [nameIn(response), status])),
  );
  const entries = Object.entries(responses).map(([name, response]) => {
    const status = statuses.get(name) ?? '';
    return { name, status, content: responseEntry(status, response, document, `common-${name}`) };
  });
  const contents = (isPublic: boolean) =>
    entries
      .filter(({ name }) => name.startsWith('Public') === isPublic)
      .sort((a, b) => a.status.localeCompare(b.status))
      .map(({ content }) => content);
  const [notModified] = referrers.flatMap((one) => (one[304] && 'headers' in one[304] ? [one[304]] : []));
  const [ofOtherMethods = {}] = Object.values(document.paths).map((item) => item['x-other-methods']);
  const unknown = [document['x-other-paths'], ofOtherMethods].flatMap(ownResponses);
  return html`<p>Every response has the header fields <code>X-Content-Type-Options</code> and <code>Cache-Control</code>. <code>Cache-Control</code> states whether caches may store the response. For most responses, they must not. A response that API Gateway generates itself has <code>x-amzn-ErrorType</code>, which names the error, and every other response has <code>X-Request-Id</code>. Only the <a href="#common-ContentTooLarge">413</a> that API Gateway generates itself has none of these header fields.</p>
<p>Most operations can return these responses. Each operation lists the ones that it can return.</p>
<div class="responses">${notModified && responseEntry('304', { ...notModified, headers: {} }, document, notModifiedId)}${contents(false)}</div>
${heading(3, 'common-public', 'Operations that require no user credentials')}
<p>For these operations, the following responses replace the responses above that have the same status.</p>
<div class="responses">${contents(true)}</div>
${heading(3, 'preconditions', 'Preconditions')}
<p>The <a href="#rules">rules for all operations</a> state how the service responds if a precondition is false. The guide about <a href="#first-bark-conditional-requests">conditional requests</a> lists the resources with an <code>ETag</code> or a <code>Last-Modified</code>.</p>
${parameterList(Object.values(parameters))}
${heading(3, 'common-unknown', 'Unknown paths and methods')}
<div class="responses">${unknown.map(([status, response]) => responseEntry(status, response, document))}</div>`;
}

/** A problem document's `type` links to the section about that kind of problem. */
function problems(document: Document): Html {
  const [example] = operationsOf(document)
    .flatMap(({ operation }) => ownResponses(operation.responses))
    .flatMap(([, { content }]) => Object.values(content?.['application/problem+json']?.examples ?? {}))
    .filter(({ value }) => 'errors' in Object(value));
  const entries = Object.entries(document['x-problem-types']).map(
    ([slug, kind]) => html`<article aria-labelledby="${problemId(slug)}">
${heading(3, problemId(slug), kind.title)}
<p class="facts"><code>${slug}</code> ${statusesOf(kind)}</p>
<p>${phrase(kind.meaning)} ${phrase(kind.remedy)}</p>
</article>
`,
  );
  return html`<p>The <code>type</code> of a problem document is the URL of one of the sections below. Programs should compare only the end of the URL, such as <code>#problem-dog-not-found</code>. A response that API Gateway generates itself has the type <code>about:blank</code>, because API Gateway does not know the URL of the service. In that case, only the status identifies the problem.</p>
<figure class="code"><figcaption>Example</figcaption>${codeOf(example?.value)}</figure>
${entries}`;
}

function statusesOf({ status, patchStatus }: ProblemDescription): string {
  return patchStatus === undefined
    ? `status ${status}.`
    : `status ${status}, or ${patchStatus} in response to PATCH.`;
}

function schemas({ components }: Document): Html {
  const entries = Object.entries(components.schemas).map(
    ([name, schema]) => html`<article aria-labelledby="schema-${name}">
${heading(3, `schema-${name}`, name)}
<p>${schema.description as string}</p>
${fields(schema)}
</article>
`,
  );
  return html`<p>Bodies are JSON in UTF-8. Other bytes reach the service as U+FFFD, like that character itself. The service rejects unknown fields, except in a token request.</p>
${entries}`;
}
