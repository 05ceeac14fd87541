import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LinkedPage } from '../linked-pages.ts';

export const page: LinkedPage = {
  link: { path: '/', text: 'Console' },
  template: () => readFileSync(join(import.meta.dirname, '../../web/console/index.html'), 'utf8'),
};
