import { page } from '../http/static-page.ts';

export const handler = page('openapi.json', 'application/json');
