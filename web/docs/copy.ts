import { copy } from '../shared/copy.ts';

/** How long a button shows the result of copying. */
const shownMs = 2_000;

/** Adds a copy button to each example. It copies the code in the language that the page shows. */
export function addCopyButtons(): void {
  const status = document.createElement('p');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  document.body.append(status);
  for (const place of document.querySelectorAll('main figcaption, main .example > summary')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const blocks = place.parentElement?.querySelectorAll('pre') ?? [];
      const message = await copy([...blocks].find((block) => block.checkVisibility())?.textContent ?? '');
      button.textContent = message;
      status.textContent = message;
      setTimeout(() => {
        button.textContent = 'Copy';
        status.textContent = '';
      }, shownMs);
    });
    if (place.matches('summary')) place.after(button);
    else place.append(button);
  }
}
