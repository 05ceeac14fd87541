import { page } from '../http/static-page.ts';

export const handler = page('docs.html', 'text/html; charset=utf-8');
