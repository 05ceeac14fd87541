import { ApiModel } from '../../gateway/api-model.ts';
import { Template } from '../../template/template.ts';
import { apiModelOf, functionArn } from '../support/local-api.ts';

const api = apiModelOf({
  methods: {
    'GET /dogs': 'ListDogs',
    'GET /dogs/{id}': 'GetDog',
    'PUT /dogs/{id}': 'PutDog',
    'GET /dogs/new': 'NewDog',
    'GET /dogs/{id}/barks': 'ListBarks',
    'GET /dogs/{id}/barks/{bark}': 'GetBark',
    'GET /files/{path+}': 'GetFile',
    'ANY /': 'Root',
    'ANY /{proxy+}': 'Fallback',
  },
});

function matched(request: string) {
  const [method = '', path = '/'] = request.split(' ');
  const match = api.match(method, path === '/' ? [] : path.split('/').slice(1));
  return match && [match.method.integration, match.parameters];
}

/* The order of the matches is documented at https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-settings-method-request.html. */
test.each<[request: string, name: string, parameters: object, why?: string]>([
  ['GET /', 'Root', {}],
  ['GET /dogs', 'ListDogs', {}],
  ['PUT /dogs/rex', 'PutDog', { id: 'rex' }],
  ['GET /dogs/rex/barks', 'ListBarks', { id: 'rex' }],
  ['GET /dogs/rex/barks/1', 'GetBark', { id: 'rex', bark: '1' }],
  ['GET /files/a/b/c', 'GetFile', { path: 'a/b/c' }],
  ['GET /dogs/new', 'NewDog', {}, 'a constant segment before a parameter'],
  ['GET /dogs/old', 'GetDog', { id: 'old' }, 'a parameter before a greedy one'],
  ['GET /dogs/new/barks', 'ListBarks', { id: 'new' }, 'a parameter if needed'],
  ['GET /cats', 'Fallback', { proxy: 'cats' }, 'no resource has the path'],
  ['GET /dogs/rex/barks/1/x', 'Fallback', { proxy: 'dogs/rex/barks/1/x' }, 'the path is longer'],
  ['GET /files', 'Fallback', { proxy: 'files' }, 'the resource has no methods'],
  ['DELETE /dogs/rex', 'Fallback', { proxy: 'dogs/rex' }, 'the resource lacks the method'],
  ['HEAD /dogs/rex', 'Fallback', { proxy: 'dogs/rex' }, 'GET does not include HEAD'],
  ['PUT /files/a/b', 'Fallback', { proxy: 'files/a/b' }, 'a greedy resource lacks the method'],
  ['GET /Dogs', 'Fallback', { proxy: 'Dogs' }, 'the case differs'],
  ['GET /dogs//barks', 'Fallback', { proxy: 'dogs//barks' }, 'a parameter would be empty'],
  ...'DELETE GET HEAD OPTIONS PATCH POST PUT'
    .split(' ')
    .map((method): [string, string, object] => [`${method} /nowhere`, 'Fallback', { proxy: 'nowhere' }]),
])('%s matches its best resource, %s', (request, name, parameters, _why = '') => {
  expect(matched(request)).toEqual([{ functionArn: functionArn(name) }, parameters]);
});

test.each(['TRACE', 'CONNECT', 'PROPFIND', 'BARK', 'get', ''])('no method matches "%s"', (method) => {
  expect(matched(`${method} /nowhere`)).toBeUndefined();
  expect(matched(`${method} /dogs`)).toBeUndefined();
});

test('a method can have a mock integration', () => {
  const Integration = {
    Type: 'MOCK',
    IntegrationResponses: [
      { StatusCode: '204', ResponseParameters: { 'method.response.header.Vary': "'Origin'" } },
    ],
  };
  const preflights = apiModelOf({ methods: { 'OPTIONS /dogs': '!NoOperation' }, integration: Integration });
  expect(preflights.match('OPTIONS', ['dogs'])?.method.integration).toEqual({
    mock: { statusCode: 204, headers: { Vary: 'Origin' } },
  });
});

const base = {
  Api: { Type: 'AWS::ApiGateway::RestApi' },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'test' } },
};
const root = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };
const uri = (name: string) => `arn:aws:apigateway:…/functions/${functionArn(name)}/invocations`;
const method = (properties: object) => ({
  ...base,
  M: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      HttpMethod: 'GET',
      ResourceId: root,
      AuthorizationType: 'NONE',
      Integration: { Type: 'AWS_PROXY', Uri: uri('A') },
      ...properties,
    },
  },
});
const mock = (properties: object) => method({ Integration: { Type: 'MOCK', ...properties } });
const authorizer = (properties: object) => ({
  ...base,
  A: {
    Type: 'AWS::ApiGateway::Authorizer',
    Properties: {
      Type: 'REQUEST',
      AuthorizerUri: uri('Guard'),
      IdentitySource: 'method.request.header.Authorization',
      ...properties,
    },
  },
});
const gatewayResponse = (value: string) => ({
  ...base,
  R: {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: { ResponseType: 'DEFAULT_4XX', ResponseParameters: { 'gatewayresponse.header.X': value } },
  },
});
const onlyConstants = 'R: the local gateway supports only constants';
const sources = 'method.request.header.A,method.request.header.B';
const notFunction = { Type: 'AWS_PROXY', Uri: 'arn:aws:states' };
const onlyFunctions = 'M: the local gateway supports only';
const onlyRequests = 'supports only request authorizers';

test.each<[string, object, string]>([
  ['no API', { Stage: base.Stage }, 'no REST API'],
  ['no stage', { Api: base.Api }, 'no stage'],
  ['no function for a method', mock({}), onlyFunctions],
  ['a response body', mock({ IntegrationResponses: [{ ResponseTemplates: {} }] }), onlyFunctions],
  ['a method without a resource', method({ ResourceId: 'other' }), 'M: a resource of the method'],
  ['the URI of another service', method({ Integration: notFunction }), 'is not the URI of a function'],
  ['IAM authorization', method({ AuthorizationType: 'AWS_IAM' }), 'does not support this authorization'],
  ['a TOKEN authorizer', authorizer({ Type: 'TOKEN' }), onlyRequests],
  ['two identity sources', authorizer({ IdentitySource: sources }), onlyRequests],
  ['a variable in a header', gatewayResponse('context.extendedRequestId'), onlyConstants],
  ['a header without quotes', gatewayResponse('no-store'), onlyConstants],
])('A template with %s causes an error', (_, Resources, message) => {
  expect(() => new ApiModel(new Template({ Resources: { ...Resources } }, 'Stack'))).toThrow(message);
});
