import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { matches } from '../iam/policies.ts';
import { FunctionError } from '../lambda/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { arn } from '../template/arns.ts';
import type { ApiAuthorizer } from './api-model.ts';
import { GatewayError } from './gateway-errors.ts';
import { type Invoke, withTimeout } from './integration.ts';

interface CachedResult {
  readonly result: APIGatewayAuthorizerResult;
  readonly expiresAt: number;
}

export class RequestAuthorizer {
  /** By authorizer and identity. */
  private readonly results = new Map<string, CachedResult>();
  private readonly clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock;
  }

  /**
   * A cached result applies to all methods and paths, even those that its policy does not match.
   *
   * @throws GatewayError UNAUTHORIZED if the identity header is missing or empty, or the authorizer threw `Unauthorized`
   * @throws GatewayError ACCESS_DENIED if the policy denies the method and path, or does not allow them
   * @throws GatewayError AUTHORIZER_CONFIGURATION_ERROR if the authorizer failed, took too long or returned an invalid result
   */
  async authorize(
    { id, functionArn, identityHeader, cacheSeconds }: ApiAuthorizer,
    event: APIGatewayProxyEvent,
    invoke: Invoke,
  ): Promise<APIGatewayProxyEvent['requestContext']['authorizer']> {
    const identity = identityOf(event, identityHeader);
    if (!identity) throw new GatewayError('UNAUTHORIZED');
    const { stage, httpMethod, apiId } = event.requestContext;
    const methodArn = arn('execute-api', `${apiId}/${stage}/${httpMethod}${event.path}`);
    const key = JSON.stringify([id, identity]);
    const cached = this.results.get(key);
    if (cached && cached.expiresAt > this.clock.now()) return contextFor(cached.result, methodArn);
    const { body: _, isBase64Encoded: __, ...request } = event;
    const input = { type: 'REQUEST', methodArn, ...request } as APIGatewayRequestAuthorizerEvent;
    const timedOut = () => new Error("It took longer than API Gateway's timeout.");
    const output = await withTimeout(invoke(functionArn, input), timedOut).catch((error: Error) => {
      if (error.message === 'Unauthorized') throw new GatewayError('UNAUTHORIZED');
      // The function's own log explains a FunctionError.
      if (!(error instanceof FunctionError)) log(`The authorizer failed: ${error.message}`);
      throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
    });
    const result = checkedResult(output);
    this.results.set(key, { result, expiresAt: this.clock.now() + cacheSeconds * 1000 });
    return contextFor(result, methodArn);
  }
}

/** AWS does not document which of several values identifies a cached result. Here, all of them do, because the function sees all. */
function identityOf({ multiValueHeaders }: APIGatewayProxyEvent, header: string): string {
  const values = Object.entries(multiValueHeaders).flatMap(([name, lines = []]) =>
    name.toLowerCase() === header ? lines : [],
  );
  return values.join(', ');
}

/**
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 *   Output from an API Gateway Lambda authorizer}
 */
function checkedResult(output: unknown): APIGatewayAuthorizerResult {
  const { policyDocument, context = {} } = Object(output);
  const statements = policyDocument?.Statement;
  const isPolicy = Array.isArray(statements) && statements.every(isStatement);
  const isContext =
    typeof context === 'object' && Object.values(context ?? {}).every((value) => Object(value) !== value);
  if (isPolicy && isContext) return output as APIGatewayAuthorizerResult;
  log(`The authorizer returned an invalid ${isPolicy ? 'context' : 'policy'}: ${JSON.stringify(output)}`);
  throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
}

function isStatement({ Effect, Action, Resource }: Readonly<Record<string, unknown>>): boolean {
  const areTexts = [Action, Resource].flat().every((one) => typeof one === 'string');
  return (Effect === 'Allow' || Effect === 'Deny') && areTexts;
}

function contextFor(
  { principalId, policyDocument, context }: APIGatewayAuthorizerResult,
  methodArn: string,
): Record<string, unknown> {
  const applies = (effect: string) =>
    policyDocument.Statement.some(
      (statement) =>
        statement.Effect === effect &&
        'Resource' in statement &&
        [statement.Resource].flat().some((resource) => matches(String(resource), methodArn)),
    );
  if (applies('Deny') || !applies('Allow')) throw new GatewayError('ACCESS_DENIED');
  const strings = Object.entries(context ?? {}).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(strings), principalId, integrationLatency: 0 };
}
