import { CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodOptions,
  RequestAuthorizer,
  RestApi,
  SecurityPolicy,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { preflightHeaders } from '../lambdas/cors.ts';
import { methodsOf, type Route, type RouteName, routes } from '../lambdas/routes.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

export interface ApiSettings {
  readonly stage: string;
  readonly authorizerCacheSeconds: number;
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  readonly domainName: string;
  readonly certificateArn: string;
  readonly corsOrigin: string;
  readonly tracing: boolean;
  readonly accessLogs: boolean;
  readonly logRetentionDays: number;
}

/** The REST API: a function for each route, the authorizer before them, and a function for what is no route. */
export class Api extends Construct {
  /** The URL that clients call, without a slash at its end. */
  readonly baseUrl: string;
  readonly authorizer: ServiceFunction;
  readonly restApi: RestApi;
  private readonly functions = new Map<string, ServiceFunction>();

  constructor(scope: Construct, id: string, settings: ApiSettings, defaults: FunctionDefaults) {
    super(scope, id);
    const api = new RestApi(this, 'RestApi', {
      restApiName: `dogs-${settings.stage}`,
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // The role for logs belongs to the account, not to this stack: removing it with the stack would harm other APIs.
      cloudWatchRole: false,
      deployOptions: {
        stageName: settings.stage,
        throttlingRateLimit: settings.requestsPerSecond,
        throttlingBurstLimit: settings.requestBurst,
        tracingEnabled: settings.tracing,
        ...(settings.accessLogs && this.logRequests(settings)),
      },
    });
    this.restApi = api;
    addGatewayResponses(api, settings.corsOrigin);

    this.authorizer = new ServiceFunction(this, 'Authorizer', defaults, {
      entry: 'jobs/authorizer.ts',
      description: 'Lets users pass',
    });
    const forUsers: MethodOptions = {
      authorizer: new RequestAuthorizer(this, 'RequestAuthorizer', {
        handler: this.authorizer,
        identitySources: [IdentitySource.header('Authorization')],
        resultsCacheTtl: Duration.seconds(settings.authorizerCacheSeconds),
      }),
    };

    for (const route of routes) this.addRoute(api, route, forUsers, defaults);
    const fallback = this.addFallback(api, forUsers, defaults);
    if (settings.corsOrigin !== '') {
      this.addPreflights(api, settings.corsOrigin);
      for (const lambda of [...this.functions.values(), fallback])
        lambda.give('CORS_ORIGIN', settings.corsOrigin);
    }
    if (settings.domainName !== '') this.addDomainName(api, settings);
    this.baseUrl = settings.domainName ? `https://${settings.domainName}` : api.url.replace(/\/$/, '');
  }

  functionOf(route: RouteName): ServiceFunction {
    const lambda = this.functions.get(route);
    if (!lambda) throw new Error(`There is no function for ${route}.`);
    return lambda;
  }

  private addRoute(api: RestApi, route: Route, forUsers: MethodOptions, defaults: FunctionDefaults): void {
    const lambda = new ServiceFunction(this, route.name, defaults, {
      entry: route.entry,
      description: route.summary,
    });
    this.functions.set(route.name, lambda);
    const resource = api.root.resourceForPath(route.path);
    // API Gateway does not answer HEAD by itself where there is a GET.
    for (const method of route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])
      resource.addMethod(method, integrationOf(lambda), route.access === 'user' ? forUsers : {});
  }

  /** One line a request, of who asked for what from where, and how long it took: no header, no query, no body. */
  private logRequests({ logRetentionDays }: ApiSettings): StageOptions {
    const logGroup = new LogGroup(this, 'AccessLogs', {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const fields = {
      requestId: AccessLogField.contextRequestId(),
      extendedRequestId: AccessLogField.contextExtendedRequestId(),
      time: AccessLogField.contextRequestTimeEpoch(),
      user: AccessLogField.contextAuthorizer('principalId'),
      address: AccessLogField.contextIdentitySourceIp(),
      method: AccessLogField.contextHttpMethod(),
      path: AccessLogField.contextPath(),
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

  /** The name must lead to the target by a record that is not the stack's: its zone may be anywhere. */
  private addDomainName(api: RestApi, { domainName, certificateArn }: ApiSettings): void {
    const name = api.addDomainName('DomainName', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new CfnOutput(this, 'DomainTarget', {
      key: 'DomainTarget',
      value: name.domainNameAliasDomainName,
      description: `What ${domainName} must be an alias of, in DNS`,
    });
  }

  /** Answers the question of a browser whether pages of an origin may call. */
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
      description: 'Answers 404 and 405',
    });
    api.root.addMethod('ANY', integrationOf(lambda), forUsers);
    api.root.addResource('{proxy+}').addMethod('ANY', integrationOf(lambda), forUsers);
    return lambda;
  }
}

function integrationOf(lambda: ServiceFunction): LambdaIntegration {
  return new LambdaIntegration(lambda, { allowTestInvoke: false });
}
