import { docsPage } from '../../openapi/page.ts';
import type { LinkedPage } from '../linked-pages.ts';

export const page: LinkedPage = {
  link: { path: '/docs', text: 'Docs' },
  template: docsPage,
};
