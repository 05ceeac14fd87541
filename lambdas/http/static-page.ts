import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentSecurityPolicyOf } from './content-security-policy.ts';
import { endpoint } from './endpoint.ts';

/** The lifetime of a page in caches, in seconds. It is short, because each deployment can change the page. */
const maxAgeSeconds = 60;

/**
 * Returns the Lambda handler of a page.
 *
 * @param file the name of the file in the folder of the function's code
 */
export function page(file: string, contentType: string) {
  let shown: Shown | undefined;
  return endpoint(async ({ path }) => {
    shown ??= read(file, contentType);
    // If the URL ends in a slash, browsers resolve relative links against a different folder.
    const body = path.endsWith('/') ? shown.below : shown.text;
    return { status: 200, headers: shown.headers, body };
  });
}

interface Shown {
  readonly text: string;
  /** The text of the page for a URL that ends in a slash. Its links to other pages begin with `../`. */
  readonly below: string;
  readonly headers: Readonly<Record<string, string>>;
}

function read(file: string, contentType: string): Shown {
  // Lambda sets this variable to the folder of the function's code.
  const text = readFileSync(join(process.env.LAMBDA_TASK_ROOT ?? '', file), 'utf8');
  return {
    text: text.replaceAll('{{root}}', './'),
    below: text.replaceAll('{{root}}', '../'),
    headers: {
      'Cache-Control': `public, max-age=${maxAgeSeconds}`,
      // API Gateway compresses the page for clients that accept compression.
      Vary: 'Accept-Encoding',
      'Content-Type': contentType,
      'Content-Security-Policy': contentSecurityPolicyOf(text),
      'Referrer-Policy': 'no-referrer',
    },
  };
}
