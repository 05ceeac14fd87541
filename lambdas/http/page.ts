import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoint } from './endpoint.ts';

/** How long a page may be kept, in seconds: short, since it must fit the service that it speaks of. */
const maxAge = 60;

/** Makes a function's handler that shows a file which lies beside its code. */
export function page(file: string, contentType: string) {
  let shown: { text: string; headers: Record<string, string> } | undefined;
  return endpoint(async ({ path }) => {
    shown ??= read(file, contentType);
    // A slash at the end is the same resource, but browsers take links to be from there.
    const body = shown.text.replaceAll('{{root}}', path.endsWith('/') ? '../' : './');
    return { status: 200, headers: shown.headers, body };
  });
}

function read(file: string, contentType: string) {
  // Lambda tells functions by this variable where their code lies.
  const text = readFileSync(join(process.env.LAMBDA_TASK_ROOT ?? '', file), 'utf8').replace(
    '{{inbox}}',
    process.env.INBOX_URL ?? '',
  );
  return {
    text,
    headers: {
      'Cache-Control': `public, max-age=${maxAge}`,
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
      ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
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
