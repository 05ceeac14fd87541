import { join } from 'node:path';
import type { AccessKey } from '../endpoint/endpoint.ts';
import { emptyConfigurationFiles } from '../platform/aws-configuration.ts';
import { apiUrl, queueOrigin, region } from '../template/arns.ts';
import type { Resource } from '../template/resource.ts';

export interface RuntimeContext {
  readonly assets: string;
  readonly endpoint: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly accessKey: AccessKey;
}

export function environmentVariablesOf(
  { name, properties }: Resource,
  { assets, endpoint, baseUrl, accessKey }: RuntimeContext,
): Record<string, string> {
  const { LogGroup, LogFormat, ApplicationLogLevel } = properties.LoggingConfig ?? {};
  return {
    ...withLocalUrls(properties.Environment?.Variables ?? {}, { endpoint, baseUrl }),
    AWS_ACCESS_KEY_ID: accessKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: accessKey.secretAccessKey,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: endpoint,
    ...emptyConfigurationFiles,
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize ?? 128),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_FORMAT: LogFormat ?? 'Text',
    AWS_LAMBDA_LOG_GROUP_NAME: LogGroup ?? `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_LEVEL: ApplicationLogLevel ?? 'INFO',
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: join(assets, properties.assetPath),
    TZ: ':UTC',
    _HANDLER: properties.Handler,
  };
}

/** Queue URLs are replaced too, because the SDK sends requests to a queue's URL even if `AWS_ENDPOINT_URL` is set. */
function withLocalUrls(
  variables: Readonly<Record<string, string>>,
  { endpoint, baseUrl }: Pick<RuntimeContext, 'endpoint' | 'baseUrl'>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      String(value)
        .replaceAll(queueOrigin, endpoint)
        .replaceAll(apiUrl, () => baseUrl),
    ]),
  );
}
