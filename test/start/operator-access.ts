import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ClientConfiguration {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The configurations of SDK clients for a service on this machine, and the outputs of its stack. */
export interface OperatorAccess {
  /** The configuration with all permissions. */
  readonly client: ClientConfiguration;
  /** The configuration with only the operator's permissions. */
  readonly operator: ClientConfiguration;
  readonly outputs: Readonly<Record<string, string>>;
  /** The names of the functions, by the IDs of their constructs. */
  readonly functions: Readonly<Record<string, string>>;
}

export function operatorAccess(directory: string): OperatorAccess {
  const file = JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8'));
  return {
    client: file.administrator,
    operator: file.client,
    outputs: file.outputs,
    functions: file.functions,
  };
}
