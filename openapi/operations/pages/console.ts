import { page } from '../html-page.ts';

export const GetConsole = page(
  'Returns the console, a web page for managing dogs and making them bark. The page calls this service with the credentials that you enter.',
  'Dog service',
);
