import { placeholders } from './snippet-request.ts';

/**
 * Returns the text of an example for a service and its user. A user name that some language might not take literally does not
 * replace the example's name.
 */
export function withOwnValues(text: string, url: string, user: string = placeholders.user): string {
  const withUrl = text.replaceAll(placeholders.url, url);
  // Email addresses in the examples stay as they are.
  return /^[\w.@+-]+$/.test(user) ? withUrl.replace(/\bjane\b(?!@)/g, user) : withUrl;
}
