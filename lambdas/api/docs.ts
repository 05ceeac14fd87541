import { page } from '../http/page.ts';

export const handler = page('docs.html', 'text/html; charset=utf-8');
