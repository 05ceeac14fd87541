import type { AwsCall } from '../endpoint/endpoint.ts';
import { arn, stackArn, streamArn } from '../template/template.ts';

/** A permission that a call needs. */
export interface RequiredPermission {
  readonly action: string;
  readonly resource: string;
  /** What the conditions of a statement may look at. */
  readonly context: Readonly<Record<string, string>>;
}

type Document = Readonly<Record<string, unknown>>;

/**
 * The permissions that a call of AWS needs, as the service authorization reference has them.
 *
 * @throws Error for a service or a call that is not known here: it must not pass unchecked
 */
export function requiredPermissionsOf(call: AwsCall): RequiredPermission[] {
  const needs = services[call.service]?.(call);
  if (!needs) throw new Error(`It is not known which permissions a call of ${call.service} needs.`);
  return needs;
}

const services: Readonly<Record<string, (call: AwsCall) => RequiredPermission[]>> = {
  dynamodb: (call) => {
    const action = targetOf(call);
    const request = requestOf(call);
    if (action === 'GetRecords' || action === 'GetShardIterator') return [onStream(action, request)];
    if (action === 'TransactWriteItems')
      return (request.TransactItems as Record<string, Document>[])
        .flatMap((item) => Object.entries(item))
        .map(([kind, { TableName }]) => onTable(transactActions[kind] ?? kind, TableName));
    return [onTable(action, request.TableName)];
  },
  cloudformation: ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const stackName = String(parameters.get('StackName'));
    return [need(`cloudformation:${parameters.get('Action')}`, stackArn(stackName))];
  },
  lambda: ({ path }) => {
    const [, name = ''] = /\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
    const [, plain] = /^(?:.*:function:)?(.*)$/.exec(decodeURIComponent(name)) ?? [];
    return [need('lambda:InvokeFunction', arn('lambda', `function:${plain}`))];
  },
  sqs: (call) => {
    const name = String(requestOf(call).QueueUrl).split('/').at(-1);
    return [need(`sqs:${targetOf(call)}`, arn('sqs', String(name)))];
  },
  ses: ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const sender = parameters.get('Source') ?? '';
    const configurationSet = parameters.get('ConfigurationSetName');
    const resources = [
      `identity/${sender}`,
      ...(configurationSet ? [`configuration-set/${configurationSet}`] : []),
    ];
    // The condition keys of SES (https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonses.html)
    // include ses:FromAddress. No source shows that SES also supplies aws:ResourceAccount.
    return resources.map((resource) =>
      need(`ses:${parameters.get('Action')}`, arn('ses', resource), { 'ses:FromAddress': sender }),
    );
  },
  states: (call) => {
    const { stateMachineArn, executionArn } = requestOf(call);
    return [need(`states:${targetOf(call)}`, String(stateMachineArn ?? executionArn))];
  },
  secretsmanager: (call) => [need(`secretsmanager:${targetOf(call)}`, String(requestOf(call).SecretId))],
  scheduler: ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://scheduler');
    const name = pathname.split('/').at(-1);
    const request: Document = body.length > 0 ? JSON.parse(body.toString('utf8')) : {};
    const group = request.GroupName ?? searchParams.get('groupName') ?? 'default';
    const schedule = need(
      `scheduler:${scheduleActions[method]}`,
      arn('scheduler', `schedule/${group}/${name}`),
    );
    const { RoleArn } = (request.Target ?? {}) as Document;
    const passed = { 'iam:PassedToService': 'scheduler.amazonaws.com' };
    return RoleArn === undefined ? [schedule] : [schedule, need('iam:PassRole', String(RoleArn), passed)];
  },
};

/** A transaction is authorized as the actions that it is made of. */
const transactActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

const scheduleActions: Readonly<Record<string, string>> = {
  DELETE: 'DeleteSchedule',
  GET: 'GetSchedule',
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
};

/**
 * Returns the permission for a call of a stream. A shard iterator of the embedded database is JSON with the name of the
 * table. The database's ARNs of streams are not those of the template, so only the name of the table counts.
 */
function onStream(action: string, { StreamArn, ShardIterator }: Document): RequiredPermission {
  const table =
    StreamArn === undefined
      ? JSON.parse(Buffer.from(String(ShardIterator), 'base64').toString()).table_name
      : String(StreamArn).split('/').at(1);
  return need(`dynamodb:${action}`, streamArn(String(table)));
}

function onTable(action: string, table: unknown): RequiredPermission {
  return need(`dynamodb:${action}`, arn('dynamodb', `table/${table}`));
}

function need(
  action: string,
  resource: string,
  context: RequiredPermission['context'] = {},
): RequiredPermission {
  return { action, resource, context };
}

function targetOf({ headers }: AwsCall): string {
  return headers['x-amz-target']?.split('.').at(-1) ?? '';
}

function requestOf({ body }: AwsCall): Document {
  return JSON.parse(body.toString('utf8'));
}
