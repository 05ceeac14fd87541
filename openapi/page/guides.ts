import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Token, Tokens } from 'marked';
import { problemTypes } from '../../lambdas/contract/problem-types.ts';
import { routes } from '../../lambdas/contract/routes.ts';
import type { Html } from './html.ts';
import { blocksOf, type CodeGroup, htmlOfBlocks, slugOf } from './markdown.ts';
import { problemId } from './operation.ts';

/** The guides' IDs, in the order in which the page shows the guides. Each ID plus `.md` names a file in `docs/guides`. */
export const guideIds = [
  'authentication',
  'variants',
  'first-bark',
  'asynchronous-barks',
  'retries',
  'schedules',
  'tokens',
  'events',
] as const;

export interface Guide {
  /** The guide's ID. The IDs of the guide's headings begin with this ID and a hyphen. */
  readonly id: string;
  readonly title: string;
  /** The guide without its title. Its top headings are `h3`. */
  readonly html: Html;
}

export function markdownOf(id: string): string {
  return readFileSync(join(import.meta.dirname, '../../docs/guides', `${id}.md`), 'utf8');
}

export function guides(): readonly Guide[] {
  const documents = guideIds.map((id) => ({ id, markdown: markdownOf(id) }));
  return guidesOf(documents);
}

/**
 * @throws Error if a document does not begin with a title, contains HTML or an image, or links to a target that does not exist
 */
export function guidesOf(documents: readonly { readonly id: string; readonly markdown: string }[]): Guide[] {
  const parsed = documents.map(({ id, markdown }) => ({ id, blocks: blocksOf(markdown) }));
  const targets = new Set(parsed.flatMap(({ id, blocks }) => [id, ...anchorsOf(id, blocks)]));
  return parsed.map(({ id, blocks: [first, ...blocks] }) => {
    if (!first || !isHeading(first) || first.depth !== 1)
      throw new Error(`The guide ${id} does not begin with a title. Add a heading of level 1.`);
    const placement = {
      headingId: (slug: string) => `${id}-${slug}`,
      href: (target: string) => hrefOf(target, id, targets),
    };
    return { id, title: first.text, html: htmlOfBlocks(blocks, placement) };
  });
}

function anchorsOf(id: string, blocks: readonly (Token | CodeGroup)[]): string[] {
  return blocks.filter(isHeading).map(({ text }) => `${id}-${slugOf(text)}`);
}

function isHeading(block: Token | CodeGroup): block is Tokens.Heading {
  return block.type === 'heading';
}

/** The IDs on the page to which guides may link, apart from their own. */
export const referenceIds: ReadonlySet<string> = new Set([
  ...routes.map(({ name }) => name),
  ...Object.keys(problemTypes).map(problemId),
]);

/** @throws Error if the link is neither to an HTTPS URL nor to an ID on the page */
function hrefOf(target: string, id: string, targets: ReadonlySet<string>): string {
  if (target.startsWith('https://')) return target;
  const [link, guide = '', anchor] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(target) ?? [];
  const found = [guide || id, anchor].filter(Boolean).join('-');
  if (link && targets.has(found)) return `#${found}`;
  if (!guide && anchor !== undefined && referenceIds.has(anchor)) return `#${anchor}`;
  throw new Error(`The guide ${id} links to ${target}, which is not on the page.`);
}
