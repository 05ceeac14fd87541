import type { AccessKey, AwsEndpoint } from './endpoint/endpoint.ts';
import { operator } from './iam/authorization.ts';
import { region } from './template/arns.ts';
import type { Template } from './template/template.ts';

interface ClientConfiguration {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: AccessKey;
}

/** SDK client configurations for callers outside the local cloud, such as the operator CLI. */
export interface Clients {
  /** For a caller that has only the permissions in the template's managed policies. */
  readonly client: ClientConfiguration;
  readonly administrator: ClientConfiguration;
}

/** The content of `operator.json`, which the operator CLI reads. */
interface OperatorAccess extends Clients {
  /** See `proofOf`. */
  readonly nonce: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The functions' physical names, by construct ID. */
  readonly functions: Readonly<Record<string, string>>;
}

/** Registers a new access key with the endpoint for each client. */
export function createClients(endpoint: AwsEndpoint): Clients {
  return {
    client: createClient(endpoint, operator),
    administrator: createClient(endpoint, 'administrator'),
  };
}

export function operatorAccess(
  clients: Clients,
  { nonce }: AwsEndpoint,
  template: Template,
  baseUrl: string,
): OperatorAccess {
  return {
    ...clients,
    nonce,
    outputs: { ...template.outputs, BaseUrl: baseUrl },
    functions: Object.fromEntries(
      template.ofType('AWS::Lambda::Function').map((resource) => [resource.name, template.idOf(resource)]),
    ),
  };
}

function createClient(endpoint: AwsEndpoint, caller: string): ClientConfiguration {
  return { endpoint: endpoint.url, region, credentials: endpoint.accessKeyOf(caller) };
}
