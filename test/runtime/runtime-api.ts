import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FunctionResult } from '../support/sample-events.ts';

export interface Invocation {
  readonly requestId: string;
  readonly functionArn: string;
  readonly event: unknown;
  /** Unix time in milliseconds. */
  readonly deadline: number;
}

/** A server with Lambda's Runtime API, for one invocation. It passes the invocation to the runtime, and receives the result. */
export class RuntimeApi {
  readonly result: Promise<FunctionResult>;
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private readonly invocation: Invocation;
  private isDelivered = false;
  private resolve: (result: FunctionResult) => void = () => {};

  constructor(invocation: Invocation) {
    this.invocation = invocation;
    this.result = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { requestId } = this.invocation;
    const body = await text(request);
    switch (`${request.method} ${request.url?.replace('/2018-06-01/runtime/', '')}`) {
      case 'GET invocation/next':
        return this.deliver(response);
      case `POST invocation/${requestId}/response`:
        this.resolve({ response: JSON.parse(body) });
        break;
      case `POST invocation/${requestId}/error`:
      case 'POST init/error':
        this.resolve({ thrown: errorIn(body) });
        break;
      default:
        this.resolve({ thrown: `The runtime called ${request.method} ${request.url}.` });
    }
    response.writeHead(202).end('{"status":"OK"}');
  }

  /** Sends the invocation. The runtime's next request for an invocation gets no response. */
  private deliver(response: ServerResponse): void {
    if (this.isDelivered) return;
    this.isDelivered = true;
    const { requestId, functionArn, event, deadline } = this.invocation;
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': requestId,
      'Lambda-Runtime-Deadline-Ms': deadline,
      'Lambda-Runtime-Invoked-Function-Arn': functionArn,
      'Lambda-Runtime-Trace-Id': 'Root=1-6920a5c0-1f2e3d4c5b6a79880f1e2d3c;Sampled=0',
    });
    response.end(JSON.stringify(event));
  }
}

function errorIn(body: string): string {
  const { errorType, errorMessage } = JSON.parse(body) as { errorType: string; errorMessage: string };
  return `${errorType}: ${errorMessage}`;
}
