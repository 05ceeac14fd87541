import type { Document } from '../types.ts';
import { type Html, html, phrase } from './html.ts';
import { badge } from './operation.ts';
import { operationsOf } from './request.ts';

export function variantCards(document: Document): Html {
  const cards = document.tags
    .filter(({ name }) => name.startsWith('Variant '))
    .map(({ name, 'x-displayName': title, description }) => {
      const links = operationsOf(document)
        .filter(({ method, operation }) => operation.tags.includes(name) && changing.has(method))
        .map(
          ({ method, path, operation }) =>
            html`<li><a href="#${operation.operationId}">${badge(method)} <code>${path.replace('{dog_id}', 'rex')}</code></a></li>`,
        );
      return html`<li><strong>${title}</strong><p>${phrase(description)}</p><ul>${links}</ul></li>`;
    });
  return html`<ul class="variants">${cards}</ul>`;
}

/** The methods that make a dog bark, at once or on a schedule. */
const changing = new Set(['PATCH', 'POST']);
