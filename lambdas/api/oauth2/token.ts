import { issueToken } from '../../domain/tokens/issue.ts';
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
