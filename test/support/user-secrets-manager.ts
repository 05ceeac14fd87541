import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Secret {
  readonly ARN: string;
  readonly Name: string;
  SecretString?: string | undefined;
}

/** A Secrets Manager that belongs to the user. It has another account and region, and its ARNs have unpredictable suffixes. */
export class UserSecretsManager {
  readonly account = '111122223333';
  readonly region = 'eu-north-1';
  /** The Authorization headers of the received calls, in order. */
  readonly authorizations: string[] = [];
  private readonly salt = crypto.randomUUID();
  private readonly secrets: Secret[] = [];
  private readonly server = createServer(async (request, response) => {
    this.authorizations.push(request.headers.authorization ?? '');
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const result = this.perform(operation, JSON.parse(await text(request)));
    const [status, body] =
      typeof result === 'string' ? [400, { __type: result, message: operation }] : [200, result];
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });

  async listen(): Promise<void> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  valueOf(arn: string) {
    return JSON.parse(this.secrets.find(({ ARN }) => ARN === arn)?.SecretString ?? '{}');
  }

  put(SecretId: string, value: object): void {
    this.perform('PutSecretValue', { SecretId, SecretString: JSON.stringify(value) });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private perform(operation: string, { Name = '', SecretId = '', SecretString = '' }): object | string {
    const id = SecretId || Name;
    const found = this.secrets.find((secret) => secret.ARN === id || secret.Name === id);
    if (operation === 'CreateSecret') return found ? 'ResourceExistsException' : this.create(Name);
    if (!found || (operation === 'GetSecretValue' && !found.SecretString)) return 'ResourceNotFoundException';
    if (operation === 'PutSecretValue') found.SecretString = SecretString;
    return found;
  }

  private create(Name: string): Secret {
    const suffix = hash('sha256', this.salt + Name).slice(0, 6);
    const ARN = `arn:aws:secretsmanager:${this.region}:${this.account}:secret:${Name}-${suffix}`;
    const created = { ARN, Name };
    this.secrets.push(created);
    return created;
  }
}
