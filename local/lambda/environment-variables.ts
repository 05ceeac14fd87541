import { join } from 'node:path';
import { queueOrigin, region } from '../template/arns.ts';
import type { Resource } from '../template/resource.ts';

/** Where a function runs, and as whom it calls AWS. */
export interface RuntimeContext {
  /** The folder of the assets. */
  readonly assets: string;
  /** The URL at which all of AWS is. */
  readonly endpoint: string;
  readonly accessKeyId: string;
  /** Where mail can be read, if it is on this machine. */
  readonly inbox?: string | undefined;
}

/** The variables of a function on Lambda: the template's, and those that Lambda itself sets; and where its mail is. */
export function environmentVariablesOf(
  { name, properties }: Resource,
  { assets, endpoint, accessKeyId, inbox }: RuntimeContext,
): Record<string, string> {
  const { LogGroup, LogFormat, ApplicationLogLevel } = properties.LoggingConfig ?? {};
  return {
    ...withLocalQueues(properties.Environment?.Variables ?? {}, endpoint),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: endpoint,
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize ?? 128),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_FORMAT: LogFormat ?? 'Text',
    AWS_LAMBDA_LOG_GROUP_NAME: LogGroup ?? `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_LEVEL: ApplicationLogLevel ?? 'INFO',
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: join(assets, properties.assetPath),
    ...(inbox && { INBOX_URL: inbox }),
    TZ: ':UTC',
    _HANDLER: properties.Handler,
  };
}

/** Moves the URLs of queues to the endpoint: the SDK calls the host of the queue's URL, even if `AWS_ENDPOINT_URL` is set. */
function withLocalQueues(
  variables: Readonly<Record<string, string>>,
  endpoint: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, String(value).replaceAll(queueOrigin, endpoint)]),
  );
}
