import type { CommandHelp } from '../command.ts';
import { operatorGroup } from '../operator-group.ts';
import { scheduleView } from '../views.ts';

const user = { user: 'the name of the user' };
const client = { client: 'the ID of the client' };
const dog = { dog: 'the ID of the dog' };
const queue = { queue: 'the name of the queue' };
const address = { address: 'the email address' };

/** The commands for users, clients and grants, which differ only in their names. */
function accountCommands(kind: string, secret: string, parameters: Record<string, string>, example: string) {
  const common = { arguments: parameters };
  return {
    list: { summary: `list the ${kind}s`, times: ['created'] },
    get: { ...common, summary: `show a ${kind}`, times: ['created'], example },
    create: {
      ...common,
      summary: `create a ${kind}, and show the ${secret} once`,
      options: ['reveal'],
      createsSecret: true,
      example,
    },
    rotate: {
      ...common,
      summary: `replace a ${kind}'s ${secret}, and show the new one once`,
      options: ['reveal', 'yes'],
      createsSecret: true,
      question: (_, ...names) => `This invalidates the ${secret} of the ${kind} "${names.join('/')}".`,
      example: `${example} --yes`,
    },
    revoke: {
      ...common,
      summary: `revoke the access of a ${kind}`,
      options: ['yes'],
      question: (_, name) =>
        `This revokes the access of the ${kind} "${name}" and all grants of the ${kind}.`,
      example: `${example} --yes`,
    },
  } satisfies Record<string, CommandHelp>;
}

const grantCommands = accountCommands('grant', 'refresh token', { ...user, ...client }, 'jane walker-app');

export const accountGroups = {
  schedules: operatorGroup('the bark schedules of the dogs', () => import('../commands/schedules.ts'), {
    list: {
      summary: 'list the dogs that have an upcoming scheduled bark',
      replacedBy: 'schedule get',
      options: ['limit'],
      times: ['last', 'next'],
      forPeople: scheduleView,
    },
    get: {
      summary: 'show the last and the next scheduled bark of a dog',
      replacedBy: 'schedule get',
      arguments: dog,
      times: ['last', 'next'],
      forPeople: scheduleView,
    },
    delete: {
      summary: 'end the schedule of a dog',
      replacedBy: 'schedule end',
      arguments: dog,
      options: ['yes'],
      question: (_, id) => `This ends the bark schedule of the dog "${id}".`,
    },
    repair: {
      summary: 'create the schedules that are missing from EventBridge Scheduler',
      example: '--stack DogService-prod',
    },
  }),
  users: operatorGroup(
    'the users of the API',
    () => import('../commands/users.ts'),
    accountCommands('user', 'password', user, 'jane'),
  ),
  clients: operatorGroup(
    'the clients of the token endpoint',
    () => import('../commands/clients.ts'),
    accountCommands('client', 'secret', client, 'walker'),
  ),
  grants: operatorGroup(
    'the permissions for clients to act on behalf of users',
    () => import('../commands/grants.ts'),
    {
      ...grantCommands,
      list: {
        ...grantCommands.list,
        details: 'A grant is no longer valid after its user or its client is revoked.',
      },
      create: {
        ...grantCommands.create,
        summary: 'permit a client to act on behalf of a user, and show the refresh token once',
      },
      revoke: {
        ...grantCommands.revoke,
        summary: 'revoke a grant',
        question: (_, name, id) => `This revokes the grant "${name}/${id}".`,
      },
    },
  ),
};

export const resourceGroups = {
  // @extension events {
  events: operatorGroup('the events that the service publishes', () => import('../commands/events.ts'), {
    tail: {
      summary: 'print each new event as one line, until you press Ctrl-C',
      details:
        'With --json, each line is an event in the format of CloudEvents. On AWS, an event appears after a few seconds.',
      options: ['type', 'dog', 'count'],
      example: '--type dogs.bark --dog rex',
    },
  }),
  // @extension events }
  addresses: operatorGroup('the email addresses that get no mail', () => import('../commands/addresses.ts'), {
    list: {
      summary: 'list the suspended addresses, with the reasons',
      details:
        'A row without a dog is an entry in the suppression list of SES, which applies to all mail of the account.',
      times: ['since'],
    },
    get: {
      summary: 'show why an address is suspended, and for which dogs',
      arguments: address,
      times: ['since'],
      example: 'rex@example.com',
    },
    lift: {
      summary: 'lift the suspension of an address, so that it gets mail again',
      details:
        'The command removes the address from the suppression list of SES, and then lifts its suspension for all dogs. Run it again if it fails.',
      arguments: address,
      example: 'rex@example.com',
    },
  }),
  queues: operatorGroup('the dead-letter queues', () => import('../commands/queues.ts'), {
    list: {
      summary: 'list the queues and the number of messages in each',
      example: '--stack DogService-prod',
    },
    get: {
      summary: 'show each message in a queue, with its event and the reason for the failure',
      arguments: queue,
      times: ['sent'],
      example: 'BarkDlq',
    },
    redrive: {
      summary: 'resend the event in each message of a queue to the Lambda function that handles it',
      details:
        'The command deletes a message after Lambda has accepted its event, but a message about changes to a table only after the function has processed them.',
      arguments: queue,
      example: 'BarkDlq',
    },
    delete: {
      summary: 'delete a message',
      arguments: { ...queue, message: 'the ID of the message' },
      options: ['yes'],
      question: (_, name, id) => `This deletes the message "${id}" in the queue ${name}.`,
      example: 'MailFeedback 5fea7756-0ea4-451a-a703-a558b933e274 --yes',
    },
    purge: {
      summary: 'delete all messages in a queue',
      arguments: queue,
      options: ['yes'],
      question: (_, name) => `This deletes all messages in the queue ${name}.`,
      example: 'MailFeedback --yes',
    },
  }),
  tables: operatorGroup('the DynamoDB tables', () => import('../commands/tables.ts'), {
    fill: {
      summary: 'copy the items of another table, such as a restored one, into a table',
      details: 'Without --replace, existing items do not change.',
      arguments: { table: 'dogs, barks or access', source: 'the DynamoDB name of the table to copy from' },
      options: ['replace', 'yes'],
      question: ({ replace }, table, source) =>
        replace ? `This overwrites items of the table ${table} with the items of ${source}.` : undefined,
      example: 'dogs DogService-prod-restored-Dogs --stack DogService-prod',
    },
    protect: {
      summary: "turn on DynamoDB's deletion protection for all tables",
      example: '--stack DogService-prod',
    },
  }),
  orphans: operatorGroup(
    'the items of deleted dogs whose purge failed',
    () => import('../commands/orphans.ts'),
    {
      purge: {
        summary: 'delete the items of deleted dogs whose purge failed',
        details:
          'After a restore, run "tables fill dogs" first, because items without a dog count as orphans.',
        options: ['yes'],
        question: () => 'This deletes the items in the barks table that belong to no dog.',
        example: '--yes',
      },
    },
  ),
};
