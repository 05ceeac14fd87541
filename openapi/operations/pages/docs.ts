import { page } from '../html-page.ts';

export const GetDocs = page(
  'Returns the API description for people: the guides and this reference as a web page.',
  'Dog service: documentation',
);
