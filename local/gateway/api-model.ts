import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** A method of the API, as the template has it. */
export interface ApiMethod {
  /** The path with its parameters, such as `/v1/users/{user_id}`. */
  readonly resource: string;
  readonly resourceId: string;
  /** A function, or an answer that is always the same. */
  readonly integration: { readonly functionArn: string } | { readonly mock: MockAnswer };
  readonly authorizer?: ApiAuthorizer;
}

export interface MockAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ApiAuthorizer {
  readonly id: string;
  readonly functionArn: string;
  /** The header whose value is what the answer is cached by; a request without it is refused unasked. */
  readonly identityHeader: string;
  readonly cacheSeconds: number;
}

/** An answer that API Gateway gives by itself. */
export interface GatewayResponse {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly template: string;
}

export interface Match {
  readonly method: ApiMethod;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Node {
  readonly path: string;
  readonly methods: Map<string, ApiMethod>;
  readonly children: Map<string, Node>;
}

/** The REST API that a template describes. */
export class ApiModel {
  readonly id: string;
  readonly stage: string;
  /** The size in bytes from which the API compresses responses; undefined if it compresses none. */
  readonly minimumCompressionSize: number | undefined;
  readonly gatewayResponses = new Map<string, GatewayResponse>();
  private readonly root: Node = { path: '/', methods: new Map(), children: new Map() };

  constructor(template: Template) {
    const [api] = template.ofType('AWS::ApiGateway::RestApi');
    const [stage] = template.ofType('AWS::ApiGateway::Stage');
    if (!api || !stage) throw new Error('The template has no REST API, or no stage of it.');
    this.id = template.idOf(api);
    this.stage = stage.properties.StageName;
    this.minimumCompressionSize = api.properties.MinimumCompressionSize;
    this.readMethods(template);
    for (const { properties } of template.ofType('AWS::ApiGateway::GatewayResponse'))
      this.gatewayResponses.set(properties.ResponseType, gatewayResponseOf(properties));
  }

  /**
   * The method that answers a request: that of the resource that fits best, or, where that resource lacks the method,
   * of a greedy one.
   *
   * @param segments the parts of the path, decoded
   */
  match(httpMethod: string, segments: readonly string[]): Match | undefined {
    for (const { node, parameters } of candidates(this.root, segments, {})) {
      const method =
        node.methods.get(httpMethod) ?? (anyMethods.has(httpMethod) ? node.methods.get('ANY') : undefined);
      if (method) return { method, parameters };
    }
    return undefined;
  }

  private readMethods(template: Template): void {
    const authorizers = new Map(
      template
        .ofType('AWS::ApiGateway::Authorizer')
        .map((resource) => [
          template.idOf(resource),
          authorizerOf(template.idOf(resource), resource.properties),
        ]),
    );
    const nodes = this.readResources(template);
    for (const { logicalId, properties } of template.ofType('AWS::ApiGateway::Method')) {
      const { HttpMethod, ResourceId, AuthorizationType, AuthorizerId, Integration } = properties;
      const node = nodes.get(ResourceId);
      if (!node) throw new Error(`${logicalId}: not a method of a resource.`);
      const authorizer = AuthorizationType === 'CUSTOM' ? authorizers.get(AuthorizerId) : undefined;
      if (!authorizer && AuthorizationType !== 'NONE')
        throw new Error(`${logicalId}: an unknown authorizer.`);
      node.methods.set(HttpMethod, {
        resource: node.path,
        resourceId: ResourceId,
        integration: integrationOf(logicalId, Integration),
        ...(authorizer && { authorizer }),
      });
    }
  }

  private readResources(template: Template): Map<string, Node> {
    const nodes = new Map([[`${this.id}-root`, this.root]]);
    const waiting = template.ofType('AWS::ApiGateway::Resource');
    while (waiting.length > 0) {
      const index = waiting.findIndex(({ properties }) => nodes.has(properties.ParentId));
      const [resource] = waiting.splice(index, 1);
      const parent = resource && nodes.get(resource.properties.ParentId);
      if (index < 0 || !resource || !parent)
        throw new Error('The template has a resource without its parent.');
      const part: string = resource.properties.PathPart;
      const node: Node = {
        path: parent.path === '/' ? `/${part}` : `${parent.path}/${part}`,
        methods: new Map(),
        children: new Map(),
      };
      parent.children.set(part, node);
      nodes.set(template.idOf(resource), node);
    }
    return nodes;
  }
}

function integrationOf(
  logicalId: string,
  { Type, Uri, IntegrationResponses }: Properties,
): ApiMethod['integration'] {
  if (Type === 'AWS_PROXY') return { functionArn: functionOf(Uri) };
  const [response, ...others] = IntegrationResponses ?? [];
  if (Type !== 'MOCK' || !response || others.length > 0 || response.ResponseTemplates)
    throw new Error(`${logicalId}: not a method of a function, nor one with one answer without a body.`);
  const { StatusCode, ResponseParameters = {} } = response;
  return {
    mock: {
      statusCode: Number(StatusCode),
      headers: fixedHeaders(ResponseParameters, 'method.response.header.'),
    },
  };
}

/** Headers as mappings have them: names behind a prefix, fixed values in quotes. */
function fixedHeaders(parameters: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replace(prefix, ''),
      value.replace(/^'|'$/g, ''),
    ]),
  );
}

/**
 * The methods that `ANY` stands for. It is not known what AWS does with `TRACE` and with custom methods. This machine
 * refuses them as unknown methods.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-settings-method-request.html
 *   Set up a method request in API Gateway}
 */
const anyMethods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** The resources that fit a path, the best first: a fixed part before a parameter, a parameter before a greedy one. */
function* candidates(
  node: Node,
  [first, ...rest]: readonly string[],
  parameters: Record<string, string>,
): Generator<{ node: Node; parameters: Record<string, string> }> {
  if (first === undefined) {
    yield { node, parameters };
    return;
  }
  const fixed = node.children.get(first);
  if (fixed) yield* candidates(fixed, rest, parameters);
  for (const [part, child] of node.children) {
    const [, name, greedy] = /^\{(\w+)(\+?)\}$/.exec(part) ?? [];
    if (name !== undefined && !greedy && first !== '')
      yield* candidates(child, rest, { ...parameters, [name]: first });
  }
  for (const [part, child] of node.children) {
    const [, name] = /^\{(\w+)\+\}$/.exec(part) ?? [];
    if (name !== undefined)
      yield { node: child, parameters: { ...parameters, [name]: [first, ...rest].join('/') } };
  }
}

function authorizerOf(id: string, properties: Properties): ApiAuthorizer {
  const { Type, AuthorizerUri, IdentitySource, AuthorizerResultTtlInSeconds = 300 } = properties;
  const [, identityHeader] = /^method\.request\.header\.([\w-]+)$/.exec(IdentitySource) ?? [];
  if (Type !== 'REQUEST' || !identityHeader) throw new Error(`${id}: this machine knows no such authorizer.`);
  return {
    id,
    functionArn: functionOf(AuthorizerUri),
    identityHeader: identityHeader.toLowerCase(),
    cacheSeconds: AuthorizerResultTtlInSeconds,
  };
}

function gatewayResponseOf(properties: Properties): GatewayResponse {
  const { StatusCode, ResponseParameters = {}, ResponseTemplates = {} } = properties;
  return {
    ...(StatusCode && { statusCode: Number(StatusCode) }),
    headers: Object.fromEntries(
      Object.entries(ResponseParameters as Record<string, string>).map(([name, value]) => [
        name.replace('gatewayresponse.header.', ''),
        value,
      ]),
    ),
    template: ResponseTemplates['application/json'],
  };
}

/** The function in an integration's URI: `arn:…:lambda:path/2015-03-31/functions/<ARN>/invocations`. */
function functionOf(uri: string): string {
  const [, functionArn] = /\/functions\/(arn:[^/]+)\/invocations$/.exec(uri) ?? [];
  if (!functionArn) throw new Error(`${uri} is not the integration of a function.`);
  return functionArn;
}
