import { GatewayResponse, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { corsHeaders } from '../lambdas/contract/cors.ts';
import { gatewayResponses } from '../lambdas/contract/gateway-responses.ts';
import { pageRoutes } from '../lambdas/contract/pages.ts';
import { phrases } from '../lambdas/contract/status-text.ts';

const apiReference = pageRoutes.map(({ path }) => path).at(-1);

/**
 * API Gateway errors that the contract does not list keep their status and get a generic problem. The type of each
 * problem is `about:blank`, because a template cannot derive the service's URL from the request.
 *
 * @param corsOrigin the origin whose pages may read the responses; empty for none
 * @see {@link https://www.rfc-editor.org/rfc/rfc9457#section-4.2.1 RFC 9457 section 4.2.1}
 */
export function addGatewayResponses(api: RestApi, corsOrigin: string): void {
  const cors = corsHeaders(corsOrigin);
  for (const { type, status, detail, headers } of gatewayResponses) {
    const problem = { title: phrases[status], status, detail };
    add(api, ResponseType.of(type), problem, { ...cors, ...headers }, String(status));
  }
  add(
    api,
    ResponseType.DEFAULT_4XX,
    {
      title: 'Request Refused',
      detail: `API Gateway refused the request. Compare it with the API reference at ${apiReference}.`,
    },
    cors,
  );
  add(
    api,
    ResponseType.DEFAULT_5XX,
    {
      title: 'Internal Server Error',
      detail: 'The service failed. The request may have taken effect.',
    },
    cors,
  );
  createOneAfterAnother(api);
}

/** API Gateway refuses concurrent changes to an API. */
function createOneAfterAnother(api: RestApi): void {
  let previous: GatewayResponse | undefined;
  for (const response of api.node.children.filter((child) => child instanceof GatewayResponse)) {
    if (previous) response.node.addDependency(previous);
    previous = response;
  }
}

function add(
  api: RestApi,
  type: ResponseType,
  problem: object,
  headers: Readonly<Record<string, string>> = {},
  statusCode?: string,
): void {
  const fields = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  };
  api.addGatewayResponse(type.responseType, {
    type,
    ...(statusCode && { statusCode }),
    // API Gateway documents only constants and parameters of the request here, so no header contains the request's ID.
    responseHeaders: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `'${value}'`])),
    templates: {
      'application/json': `${JSON.stringify({
        type: 'about:blank',
        ...problem,
        // A client can choose `$context.requestId`.
        instance: '#$context.extendedRequestId',
      })}\n`,
    },
  });
}
