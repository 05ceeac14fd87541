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
  readonly operator: ClientConfiguration;
  readonly outputs: Readonly<Record<string, string>>;
  /** The names of the functions, by the IDs of their constructs. */
  readonly functions: Readonly<Record<string, string>>;
}

/** Calls an emulator of the service on a folder, with all permissions. */
export async function withClient<Sdk extends { destroy(): void }, Result>(
  Kind: new (configuration: ClientConfiguration) => Sdk,
  directory: string,
  work: (client: Sdk) => Promise<Result>,
): Promise<Result> {
  const client = new Kind(operatorAccess(directory).client);
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
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
