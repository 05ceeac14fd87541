import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { systemClock } from '../../local/platform/clock.ts';
import { SecretsManagerEmulator } from '../../local/secrets-manager/emulator.ts';
import { Template } from '../../local/template/template.ts';

/** A Secrets Manager that belongs to the user. It has another account and region, and its ARNs have unpredictable suffixes. */
export class UserSecretsManager {
  readonly account = '111122223333';
  readonly region = 'eu-north-1';
  /** The Authorization headers of the received calls, in order. */
  readonly authorizations: string[] = [];
  private readonly emulator: SecretsManagerEmulator;
  private readonly server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '' } = request;
    const requestHeaders = request.headers as Record<string, string>;
    this.authorizations.push(requestHeaders.authorization ?? '');
    const { status, headers, body } = await this.emulator.serve({
      caller: '',
      service: 'secretsmanager',
      method,
      path,
      headers: requestHeaders,
      body: Buffer.concat(chunks),
    });
    response.writeHead(status, { ...headers }).end(body);
  });

  constructor(directory: string) {
    const salt = crypto.randomUUID();
    this.emulator = new SecretsManagerEmulator(
      new Template({ Resources: {} }, 'None'),
      join(directory, 'elsewhere.sqlite'),
      {
        clock: systemClock,
        arnOf: (name) =>
          `arn:aws:secretsmanager:${this.region}:${this.account}:secret:${name}-${hash('sha256', salt + name).slice(0, 6)}`,
      },
    );
  }

  async listen(): Promise<void> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns a client that calls this Secrets Manager directly. */
  client(): SecretsManagerClient {
    const credentials = { accessKeyId: 'MYOWNKEY', secretAccessKey: 'my own secret' };
    return new SecretsManagerClient({ endpoint: this.url, region: this.region, credentials });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
    this.emulator.stop();
  }
}
