import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoint } from './endpoint.ts';

/** How long a page may be kept, in seconds: short, since it must fit the service that it speaks of. */
const maxAge = 60;

/** Makes a function's handler that shows a file which lies beside its code. */
export function page(file: string, contentType: string) {
  let shown: Shown | undefined;
  return endpoint(async ({ path }) => {
    shown ??= read(file, contentType);
    // A slash at the end is the same resource, but browsers take links to be from there.
    const body = path.endsWith('/') ? shown.below : shown.text;
    return { status: 200, headers: shown.headers, body };
  });
}

interface Shown {
  readonly text: string;
  /** The same with the links of an address that ends in a slash. */
  readonly below: string;
  readonly headers: Readonly<Record<string, string>>;
}

function read(file: string, contentType: string): Shown {
  // Lambda tells functions by this variable where their code lies.
  const text = readFileSync(join(process.env.LAMBDA_TASK_ROOT ?? '', file), 'utf8').replace(
    '{{inbox}}',
    process.env.INBOX_URL ?? '',
  );
  return {
    text: text.replaceAll('{{root}}', './'),
    below: text.replaceAll('{{root}}', '../'),
    headers: {
      'Cache-Control': `public, max-age=${maxAge}`,
      // API Gateway compresses the page for clients that accept it.
      Vary: 'Accept-Encoding',
      'Content-Type': contentType,
      'Content-Security-Policy': policyOf(text),
      'Referrer-Policy': 'no-referrer',
    },
  };
}

/**
 * Lets a page use its own script and style, by their digests, show an icon that stands in it, and call the service that it
 * comes from; nothing else.
 */
function policyOf(text: string): string {
  const digests = (element: string) =>
    [...text.matchAll(new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 'gs'))].map(
      ([, content = '']) => `'sha256-${hash('sha256', content, 'base64')}'`,
    );
  return [
    "default-src 'none'",
    `script-src ${digests('script').join(' ') || "'none'"}`,
    `style-src ${digests('style').join(' ') || "'none'"}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
