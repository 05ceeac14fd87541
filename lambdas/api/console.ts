import { page } from '../http/static-page.ts';

export const handler = page('console.html', 'text/html; charset=utf-8');
