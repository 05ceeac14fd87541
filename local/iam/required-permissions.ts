import type { AwsCall } from '../endpoint/emulator.ts';
import { arn, stackArn, streamArn } from '../template/arns.ts';

export interface RequiredPermission {
  readonly action: string;
  readonly resource: string;
  /** The values of the condition keys that the call supplies, by key. */
  readonly context: Readonly<Record<string, string>>;
}

type Document = Readonly<Record<string, unknown>>;

/**
 * @throws Error if the service is unknown, because an unchecked call must not succeed
 * @see {@link https://docs.aws.amazon.com/service-authorization/latest/reference/reference.html Service Authorization
 *   Reference}
 */
export function requiredPermissionsOf(call: AwsCall): RequiredPermission[] {
  const permissions = services[call.service]?.(call);
  if (!permissions)
    throw new Error(`The local cloud does not know which permissions calls to ${call.service} require.`);
  return permissions;
}

const services: Readonly<Record<string, (call: AwsCall) => RequiredPermission[]>> = {
  dynamodb: (call) => {
    const action = operationOf(call);
    const request = bodyOf(call);
    if (action === 'GetRecords' || action === 'GetShardIterator') return [onStream(action, request)];
    if (action === 'TransactWriteItems')
      return (request.TransactItems as Record<string, Document>[])
        .flatMap((item) => Object.entries(item))
        .map(([kind, { TableName }]) => onTable(transactActions[kind] ?? kind, TableName));
    if (action === 'BatchGetItem')
      return Object.keys(request.RequestItems as Document).map((table) => onTable(action, table));
    return [onTable(action, request.TableName)];
  },
  cloudformation: ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const stackName = String(parameters.get('StackName'));
    return [permission(`cloudformation:${parameters.get('Action')}`, stackArn(stackName))];
  },
  lambda: ({ path }) => {
    const [, name = ''] = /\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
    const [, functionName] = /^(?:.*:function:)?(.*)$/.exec(decodeURIComponent(name)) ?? [];
    return [permission('lambda:InvokeFunction', arn('lambda', `function:${functionName}`))];
  },
  sqs: (call) => {
    const name = String(bodyOf(call).QueueUrl).split('/').at(-1);
    return [permission(`sqs:${operationOf(call)}`, arn('sqs', String(name)))];
  },
  ses: ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const rawMessage = Buffer.from(parameters.get('RawMessage.Data') ?? '', 'base64').toString('latin1');
    const [, sender = ''] = /^From:[ \t]*(?:[^\r\n]*<)?([^\r\n>]*)/im.exec(rawMessage) ?? [];
    const configurationSet = parameters.get('ConfigurationSetName');
    // SES's condition keys (https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonses.html)
    // include ses:FromAddress. No source shows that SES also supplies it for a configuration set, or supplies
    // aws:ResourceAccount, so the context omits them.
    return [
      permission(`ses:${parameters.get('Action')}`, arn('ses', `identity/${sender}`), {
        'ses:FromAddress': sender,
      }),
      ...(configurationSet
        ? [permission(`ses:${parameters.get('Action')}`, arn('ses', `configuration-set/${configurationSet}`))]
        : []),
    ];
  },
  events: (call) => {
    const entries = bodyOf(call).Entries as readonly Document[];
    const buses = new Set(
      entries.map(({ EventBusName = 'default' }) => String(EventBusName).split('/').at(-1)),
    );
    return [...buses].map((bus) =>
      permission(`events:${operationOf(call)}`, arn('events', `event-bus/${bus}`)),
    );
  },
  logs: (call) => {
    const { logGroupName } = bodyOf(call);
    return [permission(`logs:${operationOf(call)}`, arn('logs', `log-group:${logGroupName}:log-stream:`))];
  },
  // These actions have no resource types (https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html).
  sesv2: ({ method, path }) => {
    const isList = /\/addresses(?:\?|$)/.test(path);
    const verb = isList && method === 'GET' ? 'List' : suppressionVerbs[method];
    return [permission(`ses:${verb}SuppressedDestination${verb === 'List' ? 's' : ''}`, '*')];
  },
  states: (call) => {
    const { stateMachineArn, executionArn } = bodyOf(call);
    return [permission(`states:${operationOf(call)}`, String(stateMachineArn ?? executionArn))];
  },
  secretsmanager: (call) => [
    permission(`secretsmanager:${operationOf(call)}`, String(bodyOf(call).SecretId)),
  ],
  scheduler: ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://scheduler');
    const name = pathname.split('/').at(-1);
    const request: Document = body.length > 0 ? JSON.parse(body.toString('utf8')) : {};
    const group = request.GroupName ?? searchParams.get('groupName') ?? 'default';
    const onSchedule = permission(
      `scheduler:${scheduleActions[method]}`,
      arn('scheduler', `schedule/${group}/${name}`),
    );
    const { RoleArn } = (request.Target ?? {}) as Document;
    const passed = { 'iam:PassedToService': 'scheduler.amazonaws.com' };
    return RoleArn === undefined
      ? [onSchedule]
      : [onSchedule, permission('iam:PassRole', String(RoleArn), passed)];
  },
};

/** The IAM action that each kind of transaction item requires. */
const transactActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

const suppressionVerbs: Readonly<Record<string, string>> = { DELETE: 'Delete', GET: 'Get' };

const scheduleActions: Readonly<Record<string, string>> = {
  DELETE: 'DeleteSchedule',
  GET: 'GetSchedule',
  POST: 'CreateSchedule',
};

/**
 * The embedded database's stream ARNs differ from the template's, so this function uses only the table's name. The database's
 * shard iterators are base64-encoded JSON that contains this name.
 */
function onStream(action: string, { StreamArn, ShardIterator }: Document): RequiredPermission {
  const table =
    StreamArn === undefined
      ? JSON.parse(Buffer.from(String(ShardIterator), 'base64').toString()).table_name
      : String(StreamArn).split('/').at(1);
  return permission(`dynamodb:${action}`, streamArn(String(table)));
}

function onTable(action: string, table: unknown): RequiredPermission {
  return permission(`dynamodb:${action}`, arn('dynamodb', `table/${table}`));
}

function permission(
  action: string,
  resource: string,
  context: RequiredPermission['context'] = {},
): RequiredPermission {
  return { action, resource, context };
}

function operationOf({ headers }: AwsCall): string {
  return headers['x-amz-target']?.split('.').at(-1) ?? '';
}

function bodyOf({ body }: AwsCall): Document {
  return JSON.parse(body.toString('utf8'));
}
