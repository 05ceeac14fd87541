import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { isPassword } from '../domain/access/users.ts';
import { job } from '../domain/platform/job.ts';
import type { Call } from '../domain/platform/request-context.ts';
import { userOfToken } from '../domain/tokens/access-token.ts';
import { showsMethodOverride } from '../http/method-override.ts';

/**
 * Authorizes a request that has the name and password of a user (RFC 7617), or an access token of a user (RFC 6750).
 *
 * @throws Error with exactly the message `Unauthorized`, to which API Gateway responds 401. To other errors it responds 503
 */
export const handler = job({ reserveMs: 1_000 }, async (event: APIGatewayRequestAuthorizerEvent, context) => {
  // API Gateway would cache a policy that denies, and would refuse the user's other requests too.
  if (showsMethodOverride(event)) throw new Error('Unauthorized');
  const user = await userOf(authorizationOf(event), context);
  if (user === undefined) throw new Error('Unauthorized');
  return allow(user, event.methodArn);
});

async function userOf(authorization: string, call: Call): Promise<string | undefined> {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
  if (token !== undefined) return userOfToken(token, call);
  const credentials = basicCredentials(authorization);
  if (!credentials) return undefined;
  const { name, password } = credentials;
  return (await isPassword(name, password, call)) ? name : undefined;
}

function authorizationOf({ headers }: APIGatewayRequestAuthorizerEvent): string {
  const [, value] =
    Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return value ?? '';
}

function basicCredentials(authorization: string): { name: string; password: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const userPass = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = userPass.indexOf(':');
  return colon < 0 ? undefined : { name: userPass.slice(0, colon), password: userPass.slice(colon + 1) };
}

/** Allows every route of the stage, because API Gateway reuses the answer for whatever the user asks for next. */
function allow(principalId: string, methodArn: string): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  return {
    principalId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${api}/${stage}/*` }],
    },
  };
}
