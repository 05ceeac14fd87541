import { settingNames } from '../../lambdas/contract/dog-settings.ts';
import type { OperatorRun, Options, UserRun } from './command.ts';
import type { Format } from './output.ts';
import { barkRow, barkView, dogView, scheduleView } from './views.ts';

/** The name of an option that only some commands accept. */
export type OptionName = Exclude<keyof Options, 'stack' | 'json'>;

export type Command = UserCommand | OperatorCommand;

interface CommandHelp extends Format {
  readonly summary: string;
  readonly details?: string;
  /** The arguments in order, with their descriptions. An argument in brackets is optional. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: readonly OptionName[];
  /** The arguments and options of an example, without the command. */
  readonly example?: string;
  /** The command to use instead of this one, which is hidden and works until version 2.0. */
  readonly replacedBy?: string;
  /**
   * Returns a sentence that states what the command deletes or invalidates, for the user to confirm. Returns undefined if there
   * is nothing to confirm.
   */
  readonly question?: (options: Options, ...values: string[]) => string | undefined;
  /** True if the command creates a secret that the service shows only once. */
  readonly createsSecret?: true;
}

/** A command that acts with an operator's AWS credentials. */
export interface OperatorCommand extends CommandHelp {
  /** Imports the function only when the command runs, so that no command loads the modules of the others. */
  readonly load: () => Promise<OperatorRun>;
}

/** A command that acts with a user's credentials for the HTTP API. */
interface UserCommand extends CommandHelp {
  readonly loadForUser: () => Promise<UserRun>;
}

type Commands<Kind extends Command> = Readonly<Record<string, Kind>>;

/** The commands for one type of resource, by verb. */
export interface Group<Kind extends Command = Command> {
  readonly summary: string;
  readonly commands: Commands<Kind>;
}

const user = { user: 'the name of the user' };
const client = { client: 'the ID of the client' };
const dog = { dog: 'the ID of the dog' };
const queue = { queue: 'the name of the queue' };
const address = { address: 'the email address' };
const credential = { credential: 'a name in the `credentials` setting' };

const bark = { ...dog, bark: 'the ID of the bark' };

/** The options of the commands that call the HTTP API. */
const access = ['url', 'user'] as const;

/** These commands do not name the resource, because the program itself is named `dogs`. */
export const dogCommands: Commands<UserCommand> = {
  list: {
    summary: 'list the dogs',
    options: ['limit', ...access],
    example: '--limit 20',
    loadForUser: async () => (await import('./commands/dogs.ts')).listDogs,
  },
  get: {
    summary: 'show a dog with its latest barks and its next bark',
    arguments: dog,
    options: access,
    times: ['previous', 'next'],
    forPeople: dogView,
    example: 'rex',
    loadForUser: async () => (await import('./commands/dogs.ts')).getDog,
  },
  create: {
    summary: 'create a dog',
    arguments: dog,
    options: [...settingNames, ...access],
    example: 'rex --email rex@example.com --bark-effects emailDog,count',
    loadForUser: async () => (await import('./commands/dogs.ts')).createDog,
  },
  replace: {
    summary: 'replace the settings of a dog',
    details:
      'Settings that you omit are reset to their defaults. The dog keeps its count, barks and schedule.',
    arguments: dog,
    options: [...settingNames, ...access],
    example: 'rex --bark-effects record --bark-handling async',
    loadForUser: async () => (await import('./commands/dogs.ts')).replaceDog,
  },
  update: {
    summary: 'change some settings of a dog',
    details:
      'Settings that you omit do not change. An empty value, as in --owner "", removes a setting that has no default.',
    arguments: dog,
    options: [...settingNames, ...access],
    example: 'rex --bark-handling async --owner ""',
    loadForUser: async () => (await import('./commands/dogs.ts')).updateDog,
  },
  delete: {
    summary: 'delete a dog, its barks and its schedule',
    arguments: dog,
    options: ['yes', ...access],
    question: (_, id) => `This deletes the dog "${id}", its barks and its schedule.`,
    example: 'rex --yes',
    loadForUser: async () => (await import('./commands/dogs.ts')).deleteDog,
  },
  bark: {
    summary: 'make a dog bark',
    details:
      'An asynchronous bark happens later, and can be cancelled for a few seconds. With --wait, the command waits until the bark is no longer pending, and fails if the bark failed or was cancelled.',
    arguments: dog,
    options: ['message', 'async', 'wait', 'idempotencyKey', ...access],
    times: ['timestamp'],
    forPeople: barkView,
    example: 'rex --message "Good morning" --async --wait',
    loadForUser: async () => (await import('./commands/barks.ts')).bark,
  },
};

export const userGroups: Readonly<Record<string, Group<UserCommand>>> = {
  barks: {
    summary: 'the barks of a dog',
    commands: {
      list: {
        summary: 'list the recorded barks of a dog, newest first',
        arguments: dog,
        options: ['limit', ...access],
        times: ['timestamp'],
        forPeople: barkRow,
        example: 'rex --limit 20',
        loadForUser: async () => (await import('./commands/barks.ts')).listBarks,
      },
      get: {
        summary: 'show a bark, or the time of the last one',
        arguments: { ...dog, '[bark]': 'the ID of the bark' },
        options: ['wait', ...access],
        times: ['timestamp'],
        forPeople: barkView,
        example: 'rex a01KAJ6W1T8N5Q6ZC2M7V4R3XDB --wait',
        loadForUser: async () => (await import('./commands/barks.ts')).getBark,
      },
      cancel: {
        summary: 'cancel an asynchronous bark that has not begun',
        arguments: bark,
        options: access,
        example: 'rex a01KAJ6W1T8N5Q6ZC2M7V4R3XDB',
        loadForUser: async () => (await import('./commands/barks.ts')).cancelBark,
      },
    },
  },
  schedule: {
    summary: 'the bark schedule of a dog',
    commands: {
      get: {
        summary: 'show the last and the next scheduled bark of a dog',
        arguments: dog,
        options: access,
        times: ['last', 'next'],
        forPeople: scheduleView,
        example: 'rex',
        loadForUser: async () => (await import('./commands/bark-schedule.ts')).getSchedule,
      },
      set: {
        summary: 'make a dog bark later or repeatedly',
        arguments: dog,
        options: ['next', 'frequency', 'replace', ...access],
        times: ['last', 'next'],
        forPeople: scheduleView,
        example: 'rex --next 2027-01-01T09:00 --frequency 1440',
        loadForUser: async () => (await import('./commands/bark-schedule.ts')).setSchedule,
      },
      end: {
        summary: 'end the schedule of a dog',
        arguments: dog,
        options: ['yes', ...access],
        question: (_, id) => `This ends the bark schedule of the dog "${id}".`,
        example: 'rex --yes',
        loadForUser: async () => (await import('./commands/bark-schedule.ts')).endSchedule,
      },
    },
  },
};

export const consoleCommands: Commands<UserCommand> = {
  open: {
    summary: 'open the console in the browser',
    details: 'If the service runs on this machine, the command also signs the browser in.',
    options: ['url'],
    loadForUser: async () => (await import('./commands/console.ts')).openConsole,
  },
  'sign-in': {
    summary: 'print a new link to the console of the local service',
    details:
      'The link signs a browser in. It works once, for 15 minutes, and only until there is a newer one. Only an operating-system user with access to DATA_DIR can create it.',
    loadForUser: async () => (await import('./commands/console.ts')).signIn,
  },
};

/**
 * Imports the module of the commands only when one of them runs, so that no command loads the modules of the others. The module
 * exports each command's function by its verb.
 */
function operatorGroup<Verb extends string>(
  summary: string,
  load: () => Promise<Readonly<Record<NoInfer<Verb>, OperatorRun>>>,
  commands: Readonly<Record<Verb, CommandHelp>>,
): Group<OperatorCommand> {
  const entries = Object.entries<CommandHelp>(commands).map(([verb, help]) => [
    verb,
    { ...help, load: async () => (await load())[verb as Verb] },
  ]);
  return { summary, commands: Object.fromEntries(entries) };
}

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

export const operatorGroups: Readonly<Record<string, Group<OperatorCommand>>> = {
  schedules: operatorGroup('the bark schedules of the dogs', () => import('./commands/schedules.ts'), {
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
    () => import('./commands/users.ts'),
    accountCommands('user', 'password', user, 'jane'),
  ),
  clients: operatorGroup(
    'the clients of the token endpoint',
    () => import('./commands/clients.ts'),
    accountCommands('client', 'secret', client, 'walker'),
  ),
  grants: operatorGroup(
    'the permissions for clients to act on behalf of users',
    () => import('./commands/grants.ts'),
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
  access: operatorGroup(
    'a user, a client and a grant, created in one step',
    () => import('./commands/access.ts'),
    {
      create: {
        summary: 'create a user, a client with the same name, and a grant for both',
        details:
          'The command shows the password, the client secret and the refresh token once. With --reveal --json, the output has the format of .local/access.json.',
        arguments: { name: 'the name of the user and the client' },
        options: ['credential', 'replace', 'reveal', 'yes'],
        createsSecret: true,
        question: ({ replace }, name) =>
          replace
            ? `This invalidates the password, the client secret and the refresh token of "${name}".`
            : undefined,
        example: 'tester --credential dogs',
      },
    },
  ),
  keys: operatorGroup('the keys that sign access tokens', () => import('./commands/keys.ts'), {
    list: {
      summary: 'list the published keys',
      times: ['expires'],
    },
    get: {
      summary: 'show the public part of a key as a JWK',
      arguments: { kid: 'the ID of the key' },
      example: '01KAJ6W1T8N5Q6ZC2M7V4R3XDB --json',
    },
    rotate: {
      summary: 'create a new key, which begins to sign tokens after one minute',
      details:
        'The first key begins to sign immediately. An old key stays published until the last token that it signed expires, so that no token becomes invalid.',
      times: ['signs_from'],
    },
  }),
  credentials: operatorGroup(
    'the OAuth credentials that the service refreshes',
    () => import('./commands/credentials.ts'),
    {
      list: {
        summary: 'list the credentials',
        times: ['expires'],
      },
      get: {
        summary: 'show a credential',
        arguments: credential,
        options: ['reveal'],
        secrets: ['access_token', 'refresh_token'],
        times: ['created'],
        example: 'dogs --reveal --json',
      },
      put: {
        summary: 'store a credential from JSON on standard input',
        details:
          'The input is an object with "auth_url", "client_id", "client_secret" and "refresh_token". If the token endpoint refuses the refresh token, the stored credential does not change.',
        arguments: credential,
        example: 'dogs < credential.json',
      },
      move: {
        summary: 'change the URL of the token endpoint, if the current URL is <from>',
        arguments: { ...credential, from: 'the current auth_url', to: 'the new auth_url' },
        example: 'dogs https://old.example https://new.example',
      },
    },
  ),
  // @extension events {
  events: operatorGroup('the events that the service publishes', () => import('./commands/events.ts'), {
    tail: {
      summary: 'print each new event as one line, until you press Ctrl-C',
      details:
        'With --json, each line is an event in the format of CloudEvents. On AWS, an event appears after a few seconds.',
      options: ['type', 'dog', 'count'],
      example: '--type dogs.bark --dog rex',
    },
  }),
  // @extension events }
  addresses: operatorGroup('the email addresses that get no mail', () => import('./commands/addresses.ts'), {
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
  queues: operatorGroup('the dead-letter queues', () => import('./commands/queues.ts'), {
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
  tables: operatorGroup('the DynamoDB tables', () => import('./commands/tables.ts'), {
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
    () => import('./commands/orphans.ts'),
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
