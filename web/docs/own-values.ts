import { placeholders } from '../shared/http/snippets/snippet-request.ts';

/**
 * Puts a service's URL and the user's name into an example. Keeps the example's user if the name contains characters that one of
 * the languages might treat specially.
 */
export function withOwnValues(text: string, url: string, user: string = placeholders.user): string {
  const withUrl = text.replaceAll(placeholders.url, url);
  // Email addresses in the examples stay as they are.
  return /^[\w.@+-]+$/.test(user) ? withUrl.replace(/\bjane\b(?!@)/g, user) : withUrl;
}
