import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

interface ApiMethod {
  /** Such as `/v1/users/{user_id}`. */
  readonly resource: string;
  readonly resourceId: string;
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
  readonly headers: Readonly<Record<string, string>>;
  /** The body, which can contain variables such as `$context.requestId`. */
  readonly template: string;
}

export interface Match {
  readonly method: ApiMethod;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Route {
  /** An HTTP method, or `ANY`. */
  readonly httpMethod: string;
  /** Constants, parameters such as `{user_id}`, and greedy parameters such as `{proxy+}`. */
  readonly parts: readonly string[];
  readonly method: ApiMethod;
}

/**
 * The methods that `ANY` matches. AWS does not document whether `ANY` also matches `TRACE` and custom methods. Here, it does not.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-settings-method-request.html
 *   Set up a method request in API Gateway}
 */
const anyMethods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

export class ApiModel {
  readonly id: string;
  readonly stage: string;
  /** In bytes. Undefined if the API compresses no responses. */
  readonly minimumCompressionSize: number | undefined;
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
  /** Most specific first. */
  private readonly routes: readonly Route[];

  /** @throws Error if the template has no REST API or no stage, or if the gateway does not support a part of the API */
  constructor(template: Template) {
    const [api] = template.ofType('AWS::ApiGateway::RestApi');
    const [stage] = template.ofType('AWS::ApiGateway::Stage');
    if (!api || !stage) throw new Error('The template has no REST API or no stage.');
    this.id = template.idOf(api);
    this.stage = stage.properties.StageName;
    this.minimumCompressionSize = api.properties.MinimumCompressionSize;
    this.gatewayResponses = new Map(
      template
        .ofType('AWS::ApiGateway::GatewayResponse')
        .map(({ logicalId, properties }) => [
          properties.ResponseType,
          gatewayResponseOf(logicalId, properties),
        ]),
    );
    this.routes = routesOf(template, `${this.id}-root`).sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  }

  /** Returns the method of the most specific resource that matches the decoded segments and has the HTTP method. */
  match(httpMethod: string, segments: readonly string[]): Match | undefined {
    for (const route of this.routes) {
      if (route.httpMethod !== httpMethod && !(route.httpMethod === 'ANY' && anyMethods.has(httpMethod)))
        continue;
      const parameters = parametersOf(route, segments);
      if (parameters) return { method: route.method, parameters };
    }
    return undefined;
  }
}

function routesOf(template: Template, rootId: string): Route[] {
  const authorizers = new Map(
    template
      .ofType('AWS::ApiGateway::Authorizer')
      .map((resource) => [
        template.idOf(resource),
        authorizerOf(template.idOf(resource), resource.properties),
      ]),
  );
  const resources = new Map(
    template
      .ofType('AWS::ApiGateway::Resource')
      .map((resource) => [template.idOf(resource), resource.properties]),
  );
  const pathOf = (resourceId: string, logicalId: string): string[] => {
    if (resourceId === rootId) return [];
    const resource = resources.get(resourceId);
    if (!resource) throw new Error(`${logicalId}: a resource of the method is not in the template.`);
    return [...pathOf(resource.ParentId, logicalId), resource.PathPart];
  };
  return template.ofType('AWS::ApiGateway::Method').map(({ logicalId, properties }) => {
    const { HttpMethod, ResourceId, AuthorizationType, AuthorizerId, Integration } = properties;
    const authorizer = AuthorizationType === 'CUSTOM' ? authorizers.get(AuthorizerId) : undefined;
    if (!authorizer && AuthorizationType !== 'NONE')
      throw new Error(`${logicalId}: the local gateway does not support this authorization.`);
    const path = pathOf(ResourceId, logicalId);
    const method = {
      resource: `/${path.join('/')}`,
      resourceId: ResourceId,
      integration: integrationOf(logicalId, Integration),
      ...(authorizer && { authorizer }),
    };
    return { httpMethod: HttpMethod, parts: path, method };
  });
}

/** At each part, constants precede parameters, which precede greedy parameters. A method precedes its resource's `ANY`. */
function rankOf({ parts, httpMethod }: Route): string {
  const ranks = parts.map((part) => (part.endsWith('+}') ? 2 : Number(part.startsWith('{'))));
  return [...ranks, httpMethod === 'ANY' ? 1 : 0].join('');
}

function parametersOf({ parts }: Route, segments: readonly string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const segment = segments[i];
    const name = part.replace(/^\{|\+?\}$/g, '');
    if (part.endsWith('+}') && segment !== undefined)
      return { ...parameters, [name]: segments.slice(i).join('/') };
    if (name === part ? segment !== part : !segment) return undefined;
    if (name !== part) parameters[name] = String(segment);
  }
  return parts.length === segments.length ? parameters : undefined;
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
  return {
    mock: {
      statusCode: Number(response.StatusCode),
      headers: constantsIn(logicalId, response.ResponseParameters, 'method.response.header.'),
    },
  };
}

/**
 * Removes the prefix of the names and the quotes of the values. API Gateway documents no `context` variables here.
 *
 * @throws Error if a value is not a constant
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-gateway-responses.responseParameters.html
 *   the parameters of a gateway response}
 */
function constantsIn(
  logicalId: string,
  parameters: Readonly<Record<string, string>> = {},
  prefix: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const [, constant] = /^'(.*)'$/.exec(value) ?? [];
      if (constant === undefined)
        throw new Error(
          `${logicalId}: the local gateway supports only constants in single quotes for ${name}.`,
        );
      return [name.replace(prefix, ''), constant];
    }),
  );
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

function gatewayResponseOf(
  logicalId: string,
  { StatusCode, ResponseParameters, ResponseTemplates }: Properties,
): GatewayResponse {
  return {
    ...(StatusCode && { statusCode: Number(StatusCode) }),
    headers: constantsIn(logicalId, ResponseParameters, 'gatewayresponse.header.'),
    template: ResponseTemplates?.['application/json'],
  };
}

/** @param uri `arn:…:lambda:path/2015-03-31/functions/<ARN>/invocations` */
function functionOf(uri: string): string {
  const [, functionArn] = /\/functions\/(arn:[^/]+)\/invocations$/.exec(uri) ?? [];
  if (!functionArn) throw new Error(`${uri} is not the URI of a function.`);
  return functionArn;
}
