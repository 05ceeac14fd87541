import { authenticatedClient } from '../../domain/access/clients.ts';
import { preparation } from '../../domain/platform/prepare.ts';
import { issueToken } from '../../domain/tokens/issue.ts';
import { signingKey } from '../../domain/tokens/signing-keys.ts';
import { endpoint } from '../../http/endpoint.ts';
import { noStore, oauthErrorResponse, tokenRequestOf } from '../../http/oauth.ts';

export const handler = endpoint(async (request) => {
  const { accessToken, expiresIn } = await issueToken(tokenRequestOf(request), request.context);
  return {
    status: 200,
    headers: noStore,
    body: { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn },
  };
}, oauthErrorResponse);

export const prepare = preparation((context) =>
  Promise.all([authenticatedClient('any', 'any', context), signingKey(context)]),
);
