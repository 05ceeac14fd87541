import { type Block, type Section, sectionsOf } from './documentation-index.ts';

const headings = 'h1[id], h2[id], h3[id]';

/** The elements that do not end a paragraph. */
const inline = 'a, abbr, b, code, em, i, kbd, mark, span, strong, var, wbr';

/** The elements whose text the search ignores. */
const ignored = 'button, script, style, svg, template';

/** Each `h1`, `h2` and `h3` with an ID in `main` begins a section. */
export function documentationIn(page: Document): Section[] {
  const main = page.querySelector('main');
  return main ? sectionsOf(blocksIn(main)) : [];
}

function blocksIn(main: Element): Block[] {
  const blocks: Block[] = [];
  const append = (text: string) => {
    const last = blocks.pop();
    if (last) blocks.push({ ...last, text: last.text + text });
  };
  const visit = (parent: Element) => {
    for (const node of parent.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) append(oneLine(node));
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const element = node as Element;
      if (element.matches(ignored)) continue;
      if (element.matches(headings)) {
        const level = Number(element.tagName.slice(1));
        blocks.push({ id: element.id, level, title: oneLine(element), text: '' });
        continue;
      }
      const boundary = element.matches(inline) ? '' : '\n';
      append(boundary);
      visit(element);
      append(boundary);
    }
  };
  visit(main);
  return blocks;
}

function oneLine({ textContent }: Node): string {
  return (textContent ?? '').replace(/\s+/g, ' ');
}
