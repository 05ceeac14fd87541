import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { isPassword } from '../domain/access/users.ts';
import { job } from '../domain/platform/job.ts';
import { preparation } from '../domain/platform/prepare.ts';
import type { RequestContext } from '../domain/platform/request-context.ts';
import { cachePublishedKeys, userOfToken } from '../domain/tokens/access-token.ts';
import { basicCredentials } from '../http/basic-auth.ts';
import { headerOf, showsMethodOverride } from '../http/header.ts';

/**
 * @throws Error with exactly the message `Unauthorized` if the request has no valid credentials, or if its method may
 *   have been overridden. API Gateway responds to this message with 401, and to any other error with 503
 * @see {@link https://www.rfc-editor.org/rfc/rfc7617 RFC 7617}
 * @see {@link https://www.rfc-editor.org/rfc/rfc6750 RFC 6750}
 */
export const handler = job({ reserveMs: 1_000 }, async (event: APIGatewayRequestAuthorizerEvent, context) => {
  // API Gateway would cache a policy that denies access, and then refuse the user's other requests, too.
  if (showsMethodOverride(event)) throw new Error('Unauthorized');
  const user = await userOf(headerOf(event, 'Authorization') ?? '', context);
  if (user === undefined) throw new Error('Unauthorized');
  return allow(user, event.methodArn);
});

export const prepare = preparation(cachePublishedKeys);

async function userOf(authorization: string, context: RequestContext): Promise<string | undefined> {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
  if (token !== undefined) return userOfToken(token, context);
  const { userId, password } = basicCredentials(authorization) ?? {};
  if (userId === undefined || password === undefined) return undefined;
  return (await isPassword(userId, password, context)) ? userId : undefined;
}

/** The policy allows every route of the stage, because API Gateway reuses it for the user's next requests. */
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
