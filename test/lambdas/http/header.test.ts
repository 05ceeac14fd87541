import type { APIGatewayProxyEvent } from 'aws-lambda';
import { mediaTypeOf, showsMethodOverride } from '../../../lambdas/http/header.ts';
import { sampleEvent } from '../../../tools/invocation.ts';

test.each([
  ['application/json', 'application/json'],
  ['Application/JSON', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  [' application/json \t;charset=utf-8', 'application/json'],
  ['', ''],
  [undefined, ''],
])('mediaTypeOf(%p) returns %p', (contentType, mediaType) => {
  expect(mediaTypeOf(contentType)).toBe(mediaType);
});

const event = sampleEvent<APIGatewayProxyEvent>('PutDog');
const { requestContext } = event;

test.each<[boolean, string, Partial<APIGatewayProxyEvent>]>([
  [true, 'X-HTTP-Method-Override', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
  [true, 'the header in another case', { headers: { 'x-http-METHOD-override': 'PUT' } }],
  [true, 'the header without a value', { headers: { 'X-HTTP-Method-Override': '' } }],
  [true, 'the header several times', { multiValueHeaders: { 'X-HTTP-Method-Override': ['PUT', 'GET'] } }],
  [true, 'two methods', { requestContext: { ...requestContext, httpMethod: 'POST' } }],
  [false, 'another header and one method', { headers: { 'X-HTTP-Method': 'DELETE' } }],
  [false, 'no headers', { headers: null, multiValueHeaders: null } as unknown as APIGatewayProxyEvent],
])('showsMethodOverride returns %p for an event with %s', (shows, _, changes) => {
  expect(showsMethodOverride({ ...event, ...changes })).toBe(shows);
});
