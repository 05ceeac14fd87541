import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentSecurityPolicyOf } from './content-security-policy.ts';
import { endpoint } from './endpoint.ts';

/** Short, because each deployment can change the page. */
const maxAgeSeconds = 60;

/** After `maxAgeSeconds`, a cache may return the page for this long while it fetches the current one. */
const staleSeconds = 600;

/** @param file the file's name in the folder that contains the function's code */
export function page(file: string, contentType: string) {
  let shown: Shown | undefined;
  return endpoint(async ({ path }) => {
    shown ??= read(file, contentType);
    // If the URL ends in a slash, browsers resolve relative links against a different folder.
    const { text, headers } = path.endsWith('/') ? shown.below : shown.page;
    return { status: 200, headers, body: text };
  });
}

interface Representation {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Shown {
  readonly page: Representation;
  /** For a URL that ends in a slash: the links to other pages begin with `../`. */
  readonly below: Representation;
}

function read(file: string, contentType: string): Shown {
  const text = readFileSync(join(process.env.LAMBDA_TASK_ROOT ?? '', file), 'utf8');
  const headers = {
    'Cache-Control': `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleSeconds}`,
    Vary: 'Accept-Encoding',
    'Content-Type': contentType,
    'Content-Security-Policy': contentSecurityPolicyOf(text),
    'Referrer-Policy': 'no-referrer',
  };
  const represent = (root: string) => withTag(text.replaceAll('{{root}}', root), headers);
  return { page: represent('./'), below: represent('../') };
}

/**
 * The tag is weak, because API Gateway compresses the page. It also covers the headers, so that a new
 * Content-Security-Policy reaches caches.
 */
function withTag(text: string, headers: Readonly<Record<string, string>>): Representation {
  const digest = hash('sha256', JSON.stringify([text, headers]), 'base64url').slice(0, 22);
  return { text, headers: { ...headers, ETag: `W/"${digest}"` } };
}
