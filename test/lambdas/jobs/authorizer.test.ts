import { createUser } from '../../../lambdas/domain/access/users.ts';
import { Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import { signAccessToken } from '../../../lambdas/domain/tokens/access-token.ts';
import { ensureKey, signingKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import { handler } from '../../../lambdas/jobs/authorizer.ts';
import { context } from '../../../tools/invocation.ts';
import { authorizerEvent } from '../../support/authorizer-event.ts';
import { currentContext } from '../../support/context.ts';
import { calls, plan, reset, useFunctions } from '../../support/faults.ts';

useFunctions();

function authorize(authorization: string | readonly string[] | undefined, name = 'Authorization') {
  return handler(authorizerEvent(authorization === undefined ? {} : { [name]: authorization }), context());
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

const unauthorized = /^Unauthorized$/;
const once = { replace: false };

async function newToken(): Promise<string> {
  await ensureKey(currentContext);
  return signAccessToken(
    { user: 'jane', client: 'walker' },
    await signingKey(currentContext()),
    currentContext(),
  );
}

describe('The authorizer', () => {
  test('returns a policy for every route of the stage, so that API Gateway can cache it', async () => {
    const password = await createUser('jane', once, currentContext());
    const Resource = 'arn:aws:execute-api:us-east-1:123456789012:abc123defg/prod/*';
    expect(await authorize(basic('jane', password))).toEqual({
      principalId: 'jane',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource }],
      },
    });
  });

  test.each(['Bearer', 'bearer'])(
    'authorizes the user of an access token with the scheme %s',
    async (scheme) => {
      expect(await authorize(`${scheme} ${await newToken()}`)).toMatchObject({ principalId: 'jane' });
    },
  );

  test('ignores the case of the header name and of the scheme Basic', async () => {
    const password = await createUser('joe', once, currentContext());
    const credentials = basic('joe', password).replace('Basic', 'bASIC');
    expect(await authorize(credentials, 'authorization')).toMatchObject({ principalId: 'joe' });
  });

  const invalidTokens = ['', ' a b', ' a.b.c'];
  test.each<[string, string | undefined]>([
    ['no header', undefined],
    ['an unknown user', basic('unknown', 'secret')],
    ['a wrong password', basic('jane', 'wrong')],
    ...invalidTokens.map((token): [string, string] => [`the header "Bearer${token}"`, `Bearer${token}`]),
  ])('throws Unauthorized, the message that API Gateway maps to 401, for %s', async (_, authorization) => {
    await expect(authorize(authorization)).rejects.toThrow(unauthorized);
  });

  test('refuses several Authorization headers, even if each of them, the first or the last is valid', async () => {
    const valid = basic('jean', await createUser('jean', once, currentContext()));
    for (const values of [
      [valid, valid],
      [valid, 'foo'],
      ['foo', valid],
      [valid, ''],
      ['', valid],
    ])
      await expect(authorize(values)).rejects.toThrow(unauthorized);
    const event = authorizerEvent({ Authorization: valid, authorization: valid });
    await expect(handler(event, context())).rejects.toThrow(unauthorized);
  });

  test('reads an event without multiValueHeaders, as some emulators send it', async () => {
    const password = await createUser('jill', once, currentContext());
    const event = { ...authorizerEvent({ Authorization: basic('jill', password) }), multiValueHeaders: null };
    expect(await handler(event, context())).toMatchObject({ principalId: 'jill' });
  });

  test('makes the same calls for an unknown user, for a wrong password and for one with a colon', async () => {
    for (const [name, password] of [
      ['unknown', 'x'],
      ['jane', 'x'],
      ['jane', 'a:b'],
    ] as const) {
      reset();
      await expect(authorize(basic(name, password))).rejects.toThrow(unauthorized);
      expect(calls()).toEqual(['GetItem']);
    }
  });

  test('throws Unavailable if DynamoDB does not respond, because the password may be correct', async () => {
    plan('GetItem', 'fails before', 1_000);
    await expect(authorize(basic('jane', 'x'))).rejects.toThrow(Unavailable);
  });
});

test('A password has 256 bits', async () => {
  const password = await createUser('june', once, currentContext());
  expect(Buffer.from(password, 'base64url')).toHaveLength(32);
});

test('A request whose method the client may have overridden is not authorized, even with valid credentials', async () => {
  const password = await createUser('jane', { replace: true }, currentContext());
  const event = authorizerEvent({
    Authorization: basic('jane', password),
    'X-HTTP-Method-Override': 'DELETE',
  });
  await expect(handler(event, context())).rejects.toThrow(unauthorized);
});
