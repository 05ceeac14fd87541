import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from '../support/sample-events.ts';

/** What a runtime is asked to do. */
export interface Invocation {
  readonly requestId: string;
  readonly functionArn: string;
  readonly event: unknown;
  /** In milliseconds since 1970. */
  readonly deadline: number;
}

/** Lambda's Runtime API, for one invocation: hands it to the runtime that asks for the next, and takes its answer. */
export class RuntimeApi {
  readonly answered: Promise<Answer>;
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private readonly invocation: Invocation;
  private handedOut = false;
  private answer: (answer: Answer) => void = () => {};

  constructor(invocation: Invocation) {
    this.invocation = invocation;
    this.answered = new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  /** @returns host and port */
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
        return this.handOut(response);
      case `POST invocation/${requestId}/response`:
        this.answer({ answer: JSON.parse(body) });
        break;
      case `POST invocation/${requestId}/error`:
      case 'POST init/error':
        this.answer({ thrown: errorIn(body) });
        break;
      default:
        this.answer({ thrown: `The runtime called ${request.method} ${request.url}.` });
    }
    response.writeHead(202).end('{"status":"OK"}');
  }

  /** There is one; who asks again, waits. */
  private handOut(response: ServerResponse): void {
    if (this.handedOut) return;
    this.handedOut = true;
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
