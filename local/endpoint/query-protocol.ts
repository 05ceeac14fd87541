import { randomUUID } from 'node:crypto';
import type { AwsResponse } from './response.ts';

/** Returns a response of the AWS query protocol, which is XML. */
export function xml(status: number, body: string): AwsResponse {
  return { status, headers: { 'Content-Type': 'text/xml' }, body };
}

/** Returns an error of the AWS query protocol. */
export function queryFailure(namespace: string, status: number, code: string, message: string): AwsResponse {
  return xml(
    status,
    `<ErrorResponse xmlns="${namespace}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

/** Escapes text for XML and HTML. Control characters are not allowed there, and become U+FFFD. */
export function escaped(text: string): string {
  const visible = text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  return visible.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
