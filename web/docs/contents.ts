/** Marks the link to the section being read. In a narrow window, closes the contents when the reader follows a link. */
export function connectContents(): void {
  const contents = document.getElementById('contents');
  if (!contents) return;
  const links = new Map(
    [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  contents.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
  contents.addEventListener('toggle', () => currentLink(contents)?.scrollIntoView({ block: 'center' }));
  const sections = [...document.querySelectorAll('main [aria-labelledby]')].filter((section) =>
    links.has(labelOf(section)),
  );
  const reached = new Set<Element>();
  // A section is current while it crosses a line below the header.
  const options = { rootMargin: '-20% 0px -80% 0px' };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) reached.add(target);
      else reached.delete(target);
    }
    // A section precedes the articles in it, so the last match is the innermost.
    const innermost = sections.findLast((section) => reached.has(section));
    if (innermost) mark(contents, links.get(labelOf(innermost)));
  }, options);
  for (const section of sections) observer.observe(section);
}

function labelOf(section: Element): string {
  return section.getAttribute('aria-labelledby') ?? '';
}

function currentLink(contents: HTMLElement): HTMLElement | null {
  return contents.querySelector<HTMLElement>('[aria-current]');
}

function mark(contents: HTMLElement, link: HTMLAnchorElement | undefined): void {
  const before = currentLink(contents);
  if (!link || before === link) return;
  before?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  // `scrollIntoView` would also scroll the page.
  const { top, bottom } = link.getBoundingClientRect();
  const frame = contents.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom)
    contents.scrollTop += (top + bottom - frame.top - frame.bottom) / 2;
}

/** Opens the `details` element that is or contains the fragment's target, now and when the fragment changes. */
export function openTarget(): void {
  const open = () => {
    const target =
      location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    const details = target?.closest('details');
    if (details) details.open = true;
  };
  open();
  addEventListener('hashchange', open);
}
