/** The document as a page for people. */
export function docsPage(_document: object): string {
  return '<!doctype html>\n<html lang="en"><title>Dog service</title></html>\n';
}
