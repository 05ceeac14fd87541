import { hash } from 'node:crypto';

/**
 * Allows only the page's own inline scripts and styles (by digest), images from `data:` URLs, calls to the page's
 * origin, and forms that are sent to `formAction`.
 */
export function contentSecurityPolicyOf(text: string, { formAction = "'none'" } = {}): string {
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
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
