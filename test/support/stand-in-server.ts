import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** A self-signed certificate for localhost, valid until 2126, with its key. Only tests use them. */
const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/jusFHOWS1+WDX0f
NB8PyvhzJ7qLjZe9GLNuKm5S4nShRANCAARhjasxP7SCMR9d2bNmafBoQue6BKkm
4LvEMcUgQ5E/d5jf+4wmKBledDIWy98yBnr5CeGPmP/ri3WqUAIQsAPu
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUDBV4H4HK6V9uErc1YZrsRo0/P6kwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAxMDczM1oYDzIxMjYxMDI5
MDEwNzMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARhjasxP7SCMR9d2bNmafBoQue6BKkm4LvEMcUgQ5E/d5jf+4wmKBle
dDIWy98yBnr5CeGPmP/ri3WqUAIQsAPuo28wbTAdBgNVHQ4EFgQUb59uQMglbBdQ
HA1zBhS3OW6pPrIwHwYDVR0jBBgwFoAUb59uQMglbBdQHA1zBhS3OW6pPrIwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhANlrvo1II6rvnKJEjeXTxkygOxpixgOIlFKzxMSLAPppAiEA
gnRf0961ZE8MUJiD+CrVDtxnVxJG/MbZJ2RMFcw6SKc=
-----END CERTIFICATE-----
`,
};

/** The moment at which a server ends a connection: immediately, or when it would respond to the first request. */
type End = 'at once' | 'after the request';

/**
 * How a connection dies while its function is frozen:
 *
 * - The server has closed or reset the connection. The client receives this after the freeze, possibly after it has sent bytes.
 * - The network has forgotten the connection. It resets the connection when the client sends, or drops all bytes.
 */
export type Death = 'closed' | 'reset' | 'forgotten' | 'dropped';

/** A real server in place of an AWS service. Its connections can be lost in the same way as those of a frozen function. */
export class StandInServer {
  static readonly certificate = certificate.cert;
  accepted = 0;
  received = 0;
  private readonly scheme: 'http' | 'https';
  private readonly server: Server;
  /** The server to which clients connect. It forwards all bytes, so that it can end a connection while bytes are being sent. */
  private readonly front: Server;
  private readonly connections = new Set<Socket>();
  private readonly lost = new WeakSet<Socket>();
  private readonly dropped = new WeakSet<Socket>();
  private onDrop = () => {};
  private planned: { end: End; times: number } = { end: 'at once', times: 0 };

  /** @param body the body of each response */
  constructor(scheme: 'http' | 'https', body: string) {
    this.scheme = scheme;
    const respond: RequestListener = (request, response) => {
      request.resume().once('end', () => {
        this.received += 1;
        if (this.ends('after the request')) request.socket.destroy();
        else response.setHeader('Content-Type', 'application/json').end(body);
      });
    };
    const server = scheme === 'http' ? createServer(respond) : createTlsServer(certificate, respond);
    server.keepAliveTimeout = 60_000;
    this.server = server;
    this.front = createTcpServer((socket) => this.passOn(socket));
  }

  async start(): Promise<void> {
    for (const server of [this.server, this.front]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${portOf(this.front)}`;
  }

  /**
   * Breaks the open connections in the same way as a freeze of the function. If the client sends its next bytes before it waits for
   * an event, it still considers the connections open.
   *
   * @returns the number of connections
   */
  loseConnections(how: Death = 'forgotten'): number {
    const { size } = this.connections;
    for (const socket of this.connections)
      if (how === 'closed') socket.destroy();
      else if (how === 'reset') socket.resetAndDestroy();
      else (how === 'dropped' ? this.dropped : this.lost).add(socket);
    return size;
  }

  /** Waits until the client has received the last response, and has closed all connections but those that it keeps. */
  async idle(kept: number): Promise<void> {
    for (let i = 0; i < 50; i++) await turn();
    for (const end = Date.now() + 5_000; this.connections.size > kept && Date.now() < end; ) await turn();
  }

  /** Resolves when a client sends bytes over a dropped connection. */
  sentIntoTheVoid(): Promise<void> {
    return new Promise((resolve) => {
      this.onDrop = resolve;
    });
  }

  endNext(times: number, end: End): void {
    this.planned = { end, times };
  }

  stop(): void {
    for (const server of [this.front, this.server]) server.close();
    for (const socket of this.connections) socket.destroy();
  }

  private passOn(socket: Socket): void {
    const inner = connect(portOf(this.server), '127.0.0.1');
    this.accepted += 1;
    if (this.ends('at once')) this.lost.add(socket);
    this.connections.add(socket);
    socket.once('close', () => {
      this.connections.delete(socket);
      inner.destroy();
    });
    socket.on('data', (bytes) => {
      if (this.lost.has(socket)) socket.resetAndDestroy();
      else if (this.dropped.has(socket)) this.onDrop();
      else inner.write(bytes);
    });
    inner.on('data', (bytes) => socket.write(bytes)).once('close', () => socket.end());
    for (const one of [socket, inner]) one.on('error', () => {});
  }

  private ends(when: End): boolean {
    if (this.planned.end !== when || this.planned.times === 0) return false;
    this.planned.times -= 1;
    return true;
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Starts a server whose connection queue is full, so that every client waits. */
export async function startFullServer(): Promise<{ host: string; stop: () => void }> {
  const script =
    "const server = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const port = Number(line);
  child.kill('SIGSTOP');
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await sleep(200);
  return {
    host: `127.0.0.1:${port}`,
    stop: () => {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
