import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';

const unestablished = Symbol('unestablished');

/**
 * Opens a TLS connection for each request, because an idle one may die while the function is frozen. Marks an error that ends a
 * connection before its handshake is complete: the error code alone does not prove that no request was sent, because TLS 1.3 can
 * report a failed handshake after the first request.
 */
export class FreshConnections extends Agent {
  constructor() {
    super({ keepAlive: false });
  }

  override createConnection(...parameters: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    const socket = super.createConnection(...parameters);
    const mark = (error: Error) => Object.assign(error, { [unestablished]: true });
    socket?.once('error', mark).once('secureConnect', () => socket.off('error', mark));
    return socket;
  }
}

/** True only if the error proves that no connection was established, and therefore no request was sent. */
export function isUnestablished(error: unknown): boolean {
  const { syscall, code, message, ...rest } = error as NodeJS.ErrnoException & { [unestablished]?: true };
  return (
    rest[unestablished] === true ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    // If a host has several addresses, the combined error has only a code.
    code === 'ECONNREFUSED' ||
    // The error for the SDK's connectionTimeout has no code. The error for its requestTimeout has the code ETIMEDOUT: the
    // request may then have been sent.
    (code === undefined && /did not establish a connection/.test(message))
  );
}
