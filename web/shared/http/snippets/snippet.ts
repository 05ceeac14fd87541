import type { Credentials } from '../../credentials.ts';
import type { Request } from '../requests.ts';
import { curlSnippet } from './curl.ts';
import { pythonSnippet } from './python.ts';
import { placeholders, type SnippetCredentials, type SnippetRequest } from './snippet-request.ts';
import { typescriptSnippet } from './typescript.ts';

/** In the order in which pages show them. */
export const languages = ['curl', 'typescript', 'python'] as const;

export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
};

const generators: Readonly<Record<Language, (request: SnippetRequest) => string>> = {
  curl: curlSnippet,
  typescript: typescriptSnippet,
  python: pythonSnippet,
};

/**
 * Returns a program that sends the same request as the page, and prints the status and the body of the response. The program runs
 * unedited: it reads a hidden secret from an environment variable. A TypeScript program runs in a folder that contains the folder
 * `client`.
 *
 * The project does not use `@scalar/snippetz`, because it reformats JSON bodies, sends no access token, and encodes passwords in
 * Latin-1.
 *
 * @param credentials ignored if the request's sender is `none`. By default, the snippet reads a password
 */
export function snippetOf(
  { method, path, headers, body, sender }: Request,
  base: string,
  language: Language,
  credentials: SnippetCredentials = { user: placeholders.user, kind: 'password' },
): string {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const needsType = body !== undefined && !names.includes('content-type');
  return generators[language]({
    method,
    base,
    path,
    url: new URL(base + path).href,
    // fetch adds this type to the page's request. curl and Python would add the type of a form.
    headers: [
      ...Object.entries(headers),
      ...(needsType ? [['Content-Type', 'text/plain;charset=UTF-8'] as const] : []),
    ],
    body,
    credentials: sender === 'none' ? 'none' : credentials,
  });
}

/** @param isShown true if the snippet contains the secret */
export function snippetCredentials(credentials: Credentials, isShown: boolean): SnippetCredentials {
  const [kind, secret] =
    'accessToken' in credentials
      ? (['accessToken', credentials.accessToken] as const)
      : (['password', credentials.password] as const);
  return { user: credentials.user, kind, ...(isShown && { secret }) };
}
