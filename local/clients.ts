import { type AwsEndpoint, newAccessKeyId } from './endpoint/endpoint.ts';
import { operator } from './iam/authorization.ts';
import { region } from './template/arns.ts';
import type { Template } from './template/template.ts';

/** The configuration of an SDK client that calls the local cloud. */
export interface ClientConfiguration {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The clients of the local cloud, apart from its functions. */
export interface Clients {
  /** Has the permissions of the template's managed policies. */
  readonly client: ClientConfiguration;
  /** Has all permissions. */
  readonly administrator: ClientConfiguration;
}

/** The content of `operator.json`, which replaces a deployed stack for the operator's command line. */
interface OperatorAccess extends Clients {
  /** The secret of this start, with which the endpoint proves its identity. */
  readonly nonce: string;
  /** The outputs of the stack. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The names of the functions, by the IDs of their constructs. */
  readonly functions: Readonly<Record<string, string>>;
}

/** Creates the clients, and their access keys. */
export function createClients(endpoint: AwsEndpoint): Clients {
  return {
    client: createClient(endpoint, operator),
    administrator: createClient(endpoint, 'administrator'),
  };
}

/** Returns the content of `operator.json`. */
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
  const accessKeyId = newAccessKeyId();
  endpoint.addCaller(accessKeyId, caller);
  return { endpoint: endpoint.url, region, credentials: { accessKeyId, secretAccessKey: 'local' } };
}
