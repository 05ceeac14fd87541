import { page } from '../http/page.ts';

export const handler = page('openapi.json', 'application/json');
