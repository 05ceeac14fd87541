import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemTypes } from '../../lambdas/contract/problem-types.ts';
import { routes } from '../../lambdas/contract/routes.ts';
import type { Html } from './html.ts';
import { blocksOf, htmlOfBlocks } from './markdown.ts';
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
  'events', // @extension events
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
  return guideIds.map((id) => guideOf(id, markdownOf(id)));
}

/** @throws Error if the document does not begin with a title, or links to a target that cannot be on the page */
export function guideOf(id: string, markdown: string): Guide {
  const [first, ...blocks] = blocksOf(markdown);
  if (first?.type !== 'heading')
    throw new Error(`The guide ${id} does not begin with a title. Add a heading of level 1.`);
  return { id, title: first.text, html: htmlOfBlocks(blocks, id, (target) => hrefOf(target, id)) };
}

/** The IDs on the page to which guides may link, apart from their own. */
export const referenceIds: ReadonlySet<string> = new Set([
  ...routes.map(({ name }) => name),
  ...Object.keys(problemTypes).map(problemId),
]);

/** @throws Error if the link is neither to an HTTPS URL nor to a guide nor to an ID on the page */
function hrefOf(target: string, id: string): string {
  if (target.startsWith('https://')) return target;
  const [link, guide = '', anchor] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(target) ?? [];
  if (!link) throw new Error(`The guide ${id} links to ${target}, which is not on the page.`);
  if (!guide && anchor !== undefined && referenceIds.has(anchor)) return `#${anchor}`;
  return `#${[guide || id, anchor].filter(Boolean).join('-')}`;
}
