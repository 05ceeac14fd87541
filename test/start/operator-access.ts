import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the operator of a service on this machine reaches it. */
export interface OperatorAccess {
  /** The configuration of a client of the SDK. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  readonly outputs: Readonly<Record<string, string>>;
}

export function operatorAccess(directory: string): OperatorAccess {
  return JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8'));
}
