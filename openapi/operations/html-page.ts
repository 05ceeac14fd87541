import { htmlPage } from '../schemas.ts';
import { file } from './file.ts';

/** Describes an operation that returns a web page. */
export const page = (description: string, title: string) =>
  file(
    description,
    'text/html',
    htmlPage(`<!doctype html>\n<html lang="en">\n<head>\n<title>${title}</title>\n</head>\n</html>\n`),
  );
