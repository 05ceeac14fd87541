import { randomUUID } from 'node:crypto';

export interface AwsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** The services that use the AWS query protocol. All other emulated services use JSON. */
export const xmlNamespaces = {
  cloudformation: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
  ses: 'http://ses.amazonaws.com/doc/2010-12-01/',
} as const;

export function usesQueryProtocol(service: string): service is keyof typeof xmlNamespaces {
  return service in xmlNamespaces;
}

export function errorResponse(service: string, status: number, code: string, message: string): AwsResponse {
  return usesQueryProtocol(service)
    ? xmlError(service, status, code, message)
    : jsonError(status, code, message);
}

export function json(body: object, contentType = 'application/x-amz-json-1.0'): AwsResponse {
  return { status: 200, headers: { 'Content-Type': contentType }, body: JSON.stringify(body) };
}

export function jsonError(status: number, type: string, message: string): AwsResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/x-amz-json-1.0', 'x-amzn-ErrorType': type },
    body: JSON.stringify({ __type: type, message }),
  };
}

export function xml(status: number, body: string): AwsResponse {
  return { status, headers: { 'Content-Type': 'text/xml' }, body };
}

export function xmlError(
  service: keyof typeof xmlNamespaces,
  status: number,
  code: string,
  message: string,
): AwsResponse {
  return xml(
    status,
    `<ErrorResponse xmlns="${xmlNamespaces[service]}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

/** Escapes text for XML and HTML. Replaces all control characters except newlines and tabs with U+FFFD. */
export function escaped(text: string): string {
  const visible = text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  return visible.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
