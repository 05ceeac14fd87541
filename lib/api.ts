import { Duration } from 'aws-cdk-lib';
import {
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  type MethodOptions,
  RequestAuthorizer,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { type Route, type RouteName, routes } from '../lambdas/routes.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

export interface ApiSettings {
  readonly stage: string;
  readonly authorizerCacheSeconds: number;
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
}

/** The REST API: a function for each route, the authorizer before them, and a function for what is no route. */
export class Api extends Construct {
  /** The URL that clients call, without a slash at its end. */
  readonly baseUrl: string;
  readonly authorizer: ServiceFunction;
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
      },
    });
    addGatewayResponses(api);

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
    this.addFallback(api, forUsers, defaults);
    this.baseUrl = api.url.replace(/\/$/, '');
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

  private addFallback(api: RestApi, forUsers: MethodOptions, defaults: FunctionDefaults): void {
    const lambda = new ServiceFunction(this, 'Fallback', defaults, {
      entry: 'api/fallback.ts',
      description: 'Answers 404 and 405',
    });
    api.root.addMethod('ANY', integrationOf(lambda), forUsers);
    api.root.addResource('{proxy+}').addMethod('ANY', integrationOf(lambda), forUsers);
  }
}

function integrationOf(lambda: ServiceFunction): LambdaIntegration {
  return new LambdaIntegration(lambda, { allowTestInvoke: false });
}
