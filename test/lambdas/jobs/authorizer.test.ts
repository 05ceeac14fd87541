import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { createUser, revokeUser } from '../../../lambdas/domain/access/users.ts';
import { AlreadyExists, NotFound, Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import { signAccessToken } from '../../../lambdas/domain/tokens/access-token.ts';
import { ensureKey, signingKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import { handler } from '../../../lambdas/jobs/authorizer.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { useDatabase } from '../../support/database.ts';
import { calls, injectFaults, plan, reset } from '../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

function newContext() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

function authorize(authorization: string | undefined, name = 'Authorization') {
  const event = sampleEvent<APIGatewayRequestAuthorizerEvent>('Authorizer');
  const { Authorization: _, ...headers } = event.headers ?? {};
  return handler(
    { ...event, headers: { ...headers, ...(authorization !== undefined && { [name]: authorization }) } },
    context(),
  );
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

test('The policy authorizes a user for every route of the stage, so that API Gateway can cache it', async () => {
  const password = await createUser('jane', { replace: false }, newContext());
  expect(await authorize(basic('jane', password))).toEqual({
    principalId: 'jane',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: 'Allow',
          Resource: 'arn:aws:execute-api:us-east-1:123456789012:abc123defg/prod/*',
        },
      ],
    },
  });
});

test('An access token authorizes its user, whatever the case of the scheme', async () => {
  await ensureKey(newContext);
  const token = await signAccessToken(
    { user: 'jane', client: 'walker' },
    await signingKey(newContext()),
    newContext(),
  );
  for (const scheme of ['Bearer', 'bearer'])
    expect(await authorize(`${scheme} ${token}`)).toMatchObject({ principalId: 'jane' });
});

test.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer ***', 'Bearer abc', 'Bearer a.b.c'])(
  'A request is not authorized if its access token is invalid: %s',
  async (authorization) => {
    await expect(authorize(authorization)).rejects.toThrow(/^Unauthorized$/);
  },
);

test('An expired access token is not authorized', async () => {
  await ensureKey(newContext);
  const before = { ...newContext(), now: Date.now() - 3_601_000 };
  const token = await signAccessToken(
    { user: 'jane', client: 'walker' },
    await signingKey(newContext()),
    before,
  );
  await expect(authorize(`Bearer ${token}`)).rejects.toThrow(/^Unauthorized$/);
});

test('The authorizer ignores the case of the header name and of the scheme', async () => {
  const password = await createUser('joe', { replace: false }, newContext());
  const credentials = basic('joe', password).replace('Basic', 'bASIC');
  expect(await authorize(credentials, 'authorization')).toMatchObject({ principalId: 'joe' });
});

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['another scheme', 'Digest abc'],
  ['no credentials', 'Basic'],
  ['credentials that are not Base64', 'Basic ***'],
  ['no colon', `Basic ${Buffer.from('jane').toString('base64')}`],
  ['an empty name', basic('', 'secret')],
  ['an unknown user', basic('unknown', 'secret')],
  ['a wrong password', basic('jane', 'wrong')],
  ['an empty password', basic('jane', '')],
  ['a name that is too long', basic('j'.repeat(3000), 'secret')],
  ['a key of another kind', basic('c#client', 'secret')],
])(
  'The authorizer throws Unauthorized, the message that API Gateway maps to 401, for %s',
  async (_, authorization) => {
    await expect(authorize(authorization)).rejects.toThrow(/^Unauthorized$/);
  },
);

test('The authorizer makes the same calls for an unknown user and for a wrong password', async () => {
  await authorize(basic('unknown', 'x')).catch(() => {});
  const unknown = [...calls()];
  reset();
  await authorize(basic('jane', 'x')).catch(() => {});
  expect(calls()).toEqual(unknown);
});

test('A password can contain a colon', async () => {
  await expect(authorize(basic('jane', 'a:b'))).rejects.toThrow('Unauthorized');
  expect(calls()).toEqual(['GetItem']);
});

test('The authorizer throws Unavailable if DynamoDB does not respond, because the password may be correct', async () => {
  plan('GetItem', 'fails before', 1_000);
  await expect(authorize(basic('jane', 'x'))).rejects.toThrow(Unavailable);
});

test('A user is created once, and a replaced user no longer has the old password', async () => {
  const first = await createUser('jim', { replace: false }, newContext());
  await expect(createUser('jim', { replace: false }, newContext())).rejects.toThrow(AlreadyExists);
  const second = await createUser('jim', { replace: true }, newContext());
  await expect(authorize(basic('jim', first))).rejects.toThrow('Unauthorized');
  expect(await authorize(basic('jim', second))).toMatchObject({ principalId: 'jim' });
});

test('A revoked user is no longer authorized', async () => {
  const password = await createUser('jack', { replace: false }, newContext());
  await revokeUser('jack', newContext());
  await expect(authorize(basic('jack', password))).rejects.toThrow('Unauthorized');
  await expect(revokeUser('jack', newContext())).rejects.toThrow(NotFound);
});

test('A password has 256 bits', async () => {
  expect(Buffer.from(await createUser('june', { replace: true }, newContext()), 'base64url')).toHaveLength(
    32,
  );
});

describe('A request whose method the client may have overridden', () => {
  const event = sampleEvent<APIGatewayRequestAuthorizerEvent>('Authorizer');
  const override = { 'x-http-method-OVERRIDE': 'DELETE' };

  test.each<[string, Partial<APIGatewayRequestAuthorizerEvent>]>([
    ['has X-HTTP-Method-Override', { headers: { ...event.headers, ...override } }],
    [
      'has the header only among the multi-value headers',
      { multiValueHeaders: { 'X-HTTP-Method-Override': ['DELETE'] } },
    ],
    ['has two methods', { requestContext: { ...event.requestContext, httpMethod: 'DELETE' } }],
  ])('is not authorized, even with valid credentials, if it %s', async (_, changes) => {
    const password = await createUser('jane', { replace: true }, newContext());
    const headers = { ...(changes.headers ?? event.headers), Authorization: basic('jane', password) };
    await expect(handler({ ...event, ...changes, headers }, context())).rejects.toThrow(/^Unauthorized$/);
  });
});
