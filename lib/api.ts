import { CfnOutput, Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  type CfnRestApi,
  Cors,
  EndpointAccessMode,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  type MethodOptions,
  RequestAuthorizer,
  RestApi,
  SecurityPolicy,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import { preflightHeaders } from '../lambdas/contract/cors.ts';
import { methodsOf, type Route, routes } from '../lambdas/contract/routes.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

export interface ApiSettings {
  readonly stage: string;
  readonly authorizerCacheSeconds: number;
  readonly authorizerReservedConcurrency: number;
  readonly authorizerProvisionedConcurrency: number;
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  readonly publicRequestsPerSecond: number;
  readonly publicRequestBurst: number;
  readonly tokenRequestsPerSecond: number;
  readonly tokenRequestBurst: number;
  readonly domainName: string;
  readonly certificateArn: string;
  readonly tlsPolicy: string;
  readonly corsOrigin: string;
  readonly tracing: boolean;
  readonly tracedPercentage: number;
  readonly accessLogs: boolean;
}

/**
 * In strict mode, the TLS handshake must name the same host as the request.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html}
 */
const tlsOf = (tlsPolicy: string) =>
  tlsPolicy
    ? { securityPolicy: tlsPolicy as SecurityPolicy, endpointAccessMode: EndpointAccessMode.STRICT }
    : undefined;

/**
 * Only the public documents and long lists reach this size. A dog must stay smaller: its strong ETag would be wrong for
 * a compressed representation.
 */
const minCompressionSize = Size.kibibytes(16);

export class Api extends Construct {
  /**
   * Without a trailing slash. Functions may use this URL, because it does not refer to the stage resource, which
   * depends on the functions.
   */
  readonly baseUrl: string;
  readonly restApi: RestApi;

  constructor(scope: Construct, id: string, settings: ApiSettings, others: FunctionDefaults) {
    super(scope, id);
    const defaults = { ...others, tracing: settings.tracing };
    const api = new RestApi(this, 'RestApi', {
      restApiName: nameOf(settings.stage),
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // The role for logs belongs to the account. Deleting it with the stack would stop other APIs' logs.
      cloudWatchRole: false,
      minCompressionSize,
      deployOptions: {
        stageName: settings.stage,
        // These two limits apply to each method, not to the stage as a whole.
        throttlingRateLimit: settings.requestsPerSecond,
        throttlingBurstLimit: settings.requestBurst,
        methodOptions: limitsOfPublicMethods(settings),
        tracingEnabled: settings.tracing,
        ...(settings.accessLogs && this.logRequests(defaults)),
      },
    });
    this.restApi = api;
    // The construct RestApi has no properties for these settings.
    Object.assign(api.node.defaultChild as CfnRestApi, tlsOf(settings.tlsPolicy));
    addGatewayResponses(api, settings.corsOrigin);

    const authorizer = new ServiceFunction(this, 'Authorizer', defaults, {
      entry: 'jobs/authorizer.ts',
      description: 'Authorizes requests',
      capabilities: { access: ['GetItem'], tokens: 'verify' },
      reservedConcurrency: settings.authorizerReservedConcurrency,
      provisionedConcurrency: settings.authorizerProvisionedConcurrency,
    });
    const forUsers: MethodOptions = {
      authorizer: new RequestAuthorizer(this, 'RequestAuthorizer', {
        handler: authorizer.entryPoint,
        identitySources: [IdentitySource.header('Authorization')],
        resultsCacheTtl: Duration.seconds(settings.authorizerCacheSeconds),
      }),
    };

    const functions = routes.map((route) => this.addRoute(api, route, forUsers, defaults));
    functions.push(this.addFallback(api, forUsers, defaults));
    if (settings.corsOrigin !== '') {
      this.addPreflights(api, settings.corsOrigin);
      for (const lambda of functions) lambda.addEnvironment('CORS_ORIGIN', settings.corsOrigin);
    }
    if (settings.tracing) this.limitTraces(settings);
    if (settings.domainName !== '') this.addDomainName(api, settings);
    const { region, urlSuffix } = Stack.of(this);
    this.baseUrl = settings.domainName
      ? `https://${settings.domainName}`
      : `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${settings.stage}`;
  }

  private addRoute(
    api: RestApi,
    route: Route,
    forUsers: MethodOptions,
    defaults: FunctionDefaults,
  ): ServiceFunction {
    const lambda = new ServiceFunction(this, route.name, defaults, {
      entry: route.entry,
      description: route.summary,
      capabilities: route.capabilities,
    });
    const resource = api.root.resourceForPath(route.path);
    for (const method of httpMethodsOf(route))
      resource.addMethod(method, integrationOf(lambda), route.access === 'user' ? forUsers : {});
    return lambda;
  }

  /**
   * The logs contain no headers, query strings or bodies, no path, which can contain an unsubscribe token, and no ID that a
   * client can choose.
   */
  private logRequests({ logRetentionDays, encryption }: FunctionDefaults): StageOptions {
    const logGroup = new LogGroup(this, 'AccessLogs', {
      retention: logRetentionDays,
      ...(encryption.key && { encryptionKey: encryption.key }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const fields = {
      extendedRequestId: AccessLogField.contextExtendedRequestId(),
      time: AccessLogField.contextRequestTimeEpoch(),
      user: AccessLogField.contextAuthorizer('principalId'),
      address: AccessLogField.contextIdentitySourceIp(),
      method: AccessLogField.contextHttpMethod(),
      route: AccessLogField.contextResourcePath(),
      status: AccessLogField.contextStatus(),
      milliseconds: AccessLogField.contextResponseLatency(),
      bytes: AccessLogField.contextResponseLength(),
      failure: AccessLogField.contextErrorResponseType(),
    };
    return {
      accessLogDestination: new LogGroupLogDestination(logGroup),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(fields)),
    };
  }

  /**
   * API Gateway decides which requests are traced, and tells the functions. Without a rule, X-Ray's default would trace the
   * first request of each second.
   *
   * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-configuring-xray-sampling-rules.html}
   */
  private limitTraces({ stage, tracedPercentage }: ApiSettings): void {
    new CfnSamplingRule(this, 'SamplingRule', {
      samplingRule: {
        // At most 32 characters.
        ruleName: `dogs-${stage}`,
        version: 1,
        priority: 1000,
        reservoirSize: 0,
        fixedRate: tracedPercentage / 100,
        serviceName: `${nameOf(stage)}/${stage}`,
        serviceType: 'AWS::ApiGateway::Stage',
        resourceArn: '*',
        host: '*',
        httpMethod: '*',
        urlPath: '*',
      },
    });
  }

  /** The DNS record is not part of the stack, because its zone may be in another account. */
  private addDomainName(api: RestApi, { domainName, certificateArn, tlsPolicy }: ApiSettings): void {
    const name = api.addDomainName('DomainName', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...(tlsOf(tlsPolicy) ?? { securityPolicy: SecurityPolicy.TLS_1_2 }),
    });
    new CfnOutput(this, 'DomainTarget', {
      key: 'DomainTarget',
      value: name.domainNameAliasDomainName,
      description: `The target of the DNS alias or CNAME record of ${domainName}`,
    });
  }

  private addPreflights(api: RestApi, origin: string): void {
    for (const path of new Set(routes.map((route) => route.path)))
      api.root.resourceForPath(path).addCorsPreflight({
        allowOrigins: [origin],
        allowMethods: methodsOf(path),
        allowHeaders: preflightHeaders,
        maxAge: Duration.hours(1),
      });
  }

  private addFallback(api: RestApi, forUsers: MethodOptions, defaults: FunctionDefaults): ServiceFunction {
    const lambda = new ServiceFunction(this, 'Fallback', defaults, {
      entry: 'api/fallback.ts',
      description: 'Returns 404 and 405 for requests that match no route',
    });
    api.root.addMethod('ANY', integrationOf(lambda), forUsers);
    api.root.addResource('{proxy+}').addMethod('ANY', integrationOf(lambda), forUsers);
    return lambda;
  }
}

const nameOf = (stage: string) => `dogs-${stage}`;

function integrationOf(lambda: ServiceFunction): LambdaIntegration {
  return new LambdaIntegration(lambda.entryPoint, { allowTestInvoke: false });
}

/** API Gateway does not derive HEAD from GET. */
function httpMethodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function limitsOfPublicMethods(settings: ApiSettings): Record<string, MethodDeploymentOptions> {
  const limits = (requestsPerSecond: number, burst: number) => ({
    throttlingRateLimit: requestsPerSecond,
    throttlingBurstLimit: burst,
  });
  const ofToken = limits(settings.tokenRequestsPerSecond, settings.tokenRequestBurst);
  const ofOthers = limits(settings.publicRequestsPerSecond, settings.publicRequestBurst);
  return Object.fromEntries(
    routes
      .filter(({ access }) => access === 'public')
      .flatMap((route) =>
        // AWS documents limits only for single HTTP methods, not for ANY.
        httpMethodsOf(route)
          .flatMap((method) => (method === 'ANY' ? Cors.ALL_METHODS : [method]))
          .map((method) => [`${route.path}/${method}`, route.variant === 'token' ? ofToken : ofOthers]),
      ),
  );
}
