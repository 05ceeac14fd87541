import { ApiModel } from '../../gateway/api-model.ts';
import { arn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';

interface Description {
  /** The names of the functions, by method, for example `GET /dogs/{id}`. If a name begins with `!`, the method is public. */
  readonly methods: Readonly<Record<string, string>>;
  readonly cacheSeconds?: number;
  readonly gatewayResponses?: readonly object[];
  /** The integration of all methods. By default, each method invokes its own function. */
  readonly integration?: object;
  /** The minimum size of a response that is compressed, in bytes. */
  readonly minimumCompressionSize?: number;
}

type Resources = Record<string, { Type: string; Properties: object }>;

/** Returns the model of a small API whose authorizer is the function `Guard`. */
export function apiModelOf({
  methods,
  cacheSeconds = 60,
  gatewayResponses = [],
  integration,
  minimumCompressionSize: MinimumCompressionSize,
}: Description): ApiModel {
  const resources: Resources = {
    Api: {
      Type: 'AWS::ApiGateway::RestApi',
      Properties: { ...(MinimumCompressionSize !== undefined && { MinimumCompressionSize }) },
    },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'test' } },
    Authorizer: {
      Type: 'AWS::ApiGateway::Authorizer',
      Properties: {
        Type: 'REQUEST',
        AuthorizerUri: uriOf('Guard'),
        IdentitySource: 'method.request.header.Authorization',
        AuthorizerResultTtlInSeconds: cacheSeconds,
      },
    },
  };
  for (const [request, name] of Object.entries(methods)) addMethod(resources, request, name, integration);
  for (const [i, Properties] of gatewayResponses.entries())
    resources[`Response${i}`] = { Type: 'AWS::ApiGateway::GatewayResponse', Properties };
  return new ApiModel(new Template({ Resources: resources }, 'Stack'));
}

export function functionArn(name: string): string {
  return arn('lambda', `function:${name}`);
}

function addMethod(resources: Resources, request: string, name: string, integration?: object): void {
  const [HttpMethod, path = '/'] = request.split(' ');
  resources[request] = {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      HttpMethod,
      ResourceId: addResource(resources, path.split('/').slice(1).filter(Boolean)),
      Integration: integration ?? { Type: 'AWS_PROXY', Uri: uriOf(name.replace('!', '')) },
      ...(name.startsWith('!')
        ? { AuthorizationType: 'NONE' }
        : { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Authorizer' } }),
    },
  };
}

function addResource(resources: Resources, parts: readonly string[]): object {
  const PathPart = parts.at(-1);
  if (PathPart === undefined) return { 'Fn::GetAtt': ['Api', 'RootResourceId'] };
  const id = `Resource:${parts.join('/')}`;
  const ParentId = addResource(resources, parts.slice(0, -1));
  resources[id] = { Type: 'AWS::ApiGateway::Resource', Properties: { ParentId, PathPart } };
  return { Ref: id };
}

function uriOf(name: string): string {
  return `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${functionArn(name)}/invocations`;
}
