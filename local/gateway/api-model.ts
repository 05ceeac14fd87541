import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** A method of the API in the template. */
export interface ApiMethod {
  /** The path with its parameters, such as `/v1/users/{user_id}`. */
  readonly resource: string;
  readonly resourceId: string;
  /** A function, or a fixed response. */
  readonly integration: { readonly functionArn: string } | { readonly mock: MockResponse };
  readonly authorizer?: ApiAuthorizer;
}

interface MockResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ApiAuthorizer {
  readonly id: string;
  readonly functionArn: string;
  /** The name, in lower case, of the header whose value identifies a cached result. A request without the header gets 401. */
  readonly identityHeader: string;
  readonly cacheSeconds: number;
}

/** The template's customization of a response that API Gateway generates itself. */
export interface GatewayResponse {
  readonly statusCode?: number;
  /** The values are constants in single quotes, or variables such as `context.requestId`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, which can contain variables such as `$context.requestId`. */
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

/** The REST API of a template. */
export class ApiModel {
  readonly id: string;
  readonly stage: string;
  /** The size in bytes from which the API compresses responses. Undefined if it does not compress them. */
  readonly minimumCompressionSize: number | undefined;
  /** The customized responses, by response type. */
  readonly gatewayResponses = new Map<string, GatewayResponse>();
  private readonly root: Node = { path: '/', methods: new Map(), children: new Map() };

  /**
   * @throws Error if the template has no REST API or no stage
   * @throws Error if the local gateway does not support an integration or an authorizer of the API
   * @throws Error if a resource's parent or a method's resource is not in the template
   */
  constructor(template: Template) {
    const [api] = template.ofType('AWS::ApiGateway::RestApi');
    const [stage] = template.ofType('AWS::ApiGateway::Stage');
    if (!api || !stage) throw new Error('The template has no REST API or no stage.');
    this.id = template.idOf(api);
    this.stage = stage.properties.StageName;
    this.minimumCompressionSize = api.properties.MinimumCompressionSize;
    this.readMethods(template);
    for (const { properties } of template.ofType('AWS::ApiGateway::GatewayResponse'))
      this.gatewayResponses.set(properties.ResponseType, gatewayResponseOf(properties));
  }

  /**
   * Returns the method that handles a request, or undefined if there is none. The most specific resource that matches the
   * path and has the method takes precedence.
   *
   * @param httpMethod the method of the request, in upper case
   * @param segments the decoded segments of the path
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
      if (!node) throw new Error(`${logicalId}: the resource of the method is not in the template.`);
      const authorizer = AuthorizationType === 'CUSTOM' ? authorizers.get(AuthorizerId) : undefined;
      if (!authorizer && AuthorizationType !== 'NONE')
        throw new Error(`${logicalId}: the local gateway does not support this authorization.`);
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
    const remaining = template.ofType('AWS::ApiGateway::Resource');
    while (remaining.length > 0) {
      const index = remaining.findIndex(({ properties }) => nodes.has(properties.ParentId));
      const [resource] = remaining.splice(index, 1);
      const parent = resource && nodes.get(resource.properties.ParentId);
      if (index < 0 || !resource || !parent)
        throw new Error('The parent of a resource is not in the template.');
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
    throw new Error(
      `${logicalId}: the local gateway supports only Lambda proxy integrations and mock integrations without a body.`,
    );
  const { StatusCode, ResponseParameters = {} } = response;
  return {
    mock: {
      statusCode: Number(StatusCode),
      headers: fixedHeaders(ResponseParameters, 'method.response.header.'),
    },
  };
}

/**
 * Returns the header fields that a mapping sets. The names in the mapping have the prefix, and the values are constants in
 * single quotes.
 */
function fixedHeaders(parameters: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replace(prefix, ''),
      value.replace(/^'|'$/g, ''),
    ]),
  );
}

/**
 * The methods that `ANY` matches. AWS does not document the behavior for `TRACE` and custom methods. The local gateway
 * handles them like methods that the resource does not have.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-settings-method-request.html
 *   Set up a method request in API Gateway}
 */
const anyMethods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/**
 * Yields the resources that match a path, most specific first. At each segment, a constant precedes a parameter such as
 * `{user_id}`, and a parameter precedes a greedy parameter such as `{proxy+}`.
 *
 * @param parameters the path parameters from the segments before
 */
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
  if (Type !== 'REQUEST' || !identityHeader)
    throw new Error(`${id}: the local gateway supports only request authorizers with one identity header.`);
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

/** Returns the ARN of the function in an integration URI: `arn:…:lambda:path/2015-03-31/functions/<ARN>/invocations`. */
function functionOf(uri: string): string {
  const [, functionArn] = /\/functions\/(arn:[^/]+)\/invocations$/.exec(uri) ?? [];
  if (!functionArn) throw new Error(`${uri} is not the URI of a function.`);
  return functionArn;
}
