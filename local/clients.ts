import type { AwsEndpoint } from './endpoint/endpoint.ts';
import { type AccessKey, newAccessKey } from './endpoint/signature.ts';
import { operator } from './iam/authorization.ts';
import { region } from './template/arns.ts';
import type { Template } from './template/template.ts';

interface ClientConfiguration {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: AccessKey;
}

/** The configurations of the SDK clients that call the local cloud from outside, such as those of the operator CLI. */
export interface Clients {
  /** For a client with the permissions of the template's managed policies. */
  readonly client: ClientConfiguration;
  readonly administrator: ClientConfiguration;
}

/** The content of `operator.json`, which the operator CLI reads instead of the data of a deployed stack. */
interface OperatorAccess extends Clients {
  /** A random secret, new at each start. The AWS endpoint uses it to prove its identity. */
  readonly nonce: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The physical names of the functions, by the IDs of their constructs. */
  readonly functions: Readonly<Record<string, string>>;
}

/** Creates the configurations, each with its own access key, and makes the endpoint accept these keys. */
export function createClients(endpoint: AwsEndpoint): Clients {
  return {
    client: createClient(endpoint, operator),
    administrator: createClient(endpoint, 'administrator'),
  };
}

/** @param baseUrl the URL of the API, which replaces the output `BaseUrl` of the template */
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
  const credentials = newAccessKey();
  endpoint.addCaller(credentials, caller);
  return { endpoint: endpoint.url, region, credentials };
}
