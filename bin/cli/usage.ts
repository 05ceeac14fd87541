import { parseArgs } from 'node:util';
import { commandLineProblem } from '../../lib/suggestion.ts';

export const usage = `The operator CLI of the dog service.

  npm run operator -- <command> [options]

  access create <name>       creates a user, a client of the same name, and a grant for both; prints them in the format
                             of access.json. --credential <name> also stores the client and its refresh token as a
                             credential
  users create <name>        creates a user; prints the password once
  users revoke <name>        revokes the access of a user
  clients create <id>        creates a client of the token endpoint; prints its secret once
  clients revoke <id>        revokes the access of a client
  grants create <user> <client>
                             allows the client to act on behalf of the user; prints the refresh token once
  grants revoke <grant>      revokes a grant, by the name that "grants create" printed
  keys replace               creates a new key to sign access tokens
  credentials put <name>     stores a credential that the service refreshes; reads {"auth_url", "client_id",
                             "client_secret", "refresh_token"} as JSON from standard input
  credentials show <name>    prints the credential, including its secrets
  credentials move <name> <from> <to>
                             replaces the prefix <from> of the credential's token endpoint URL with <to>
  dogs put <id>              creates or replaces a dog. --email <address> --owner <URI> --handling sync|async
                             --effects emailDog,emailOwner,count,record
  orphans purge              deletes the items that remain because the purge of their deleted dog failed. After a
                             restore, run tables fill dogs first, because items without a dog count as orphans
  schedules repair           creates the schedules that are missing from EventBridge Scheduler
  queues list                prints the number of messages in each dead-letter queue
  queues show <queue>        prints each message with its event and the reason for the failure
  queues resend <queue>      resends each event to its function, and deletes the messages whose events Lambda has
                             accepted
  queues delete <queue> <id> deletes a message
  queues clear <queue>       deletes all messages in a queue
  tables fill <table> <from> copies the items of the table <from>, such as a restored table, into <table>: dogs, barks
                             or access
  tables protect             turns on DynamoDB's deletion protection for the tables. npm run deploy also does this

  --replace                  replaces the password of an existing user, the secret of an existing client or the refresh
                             token of an existing grant. With tables fill, overwrites existing items
  --json                     prints JSON
  --stack <name>             acts on a deployed stack, with your AWS credentials and region. Without it, the command acts
                             on the service that runs on this machine (DATA_DIR, .local by default)`;

/** The hint that ends error messages about the command line. */
export const help = 'Run npm run operator -- --help for a list of the commands.';

/** The user called a command incorrectly. The message is printed without a stack trace. */
export class UsageError extends Error {}

const options = {
  help: { type: 'boolean', default: false },
  stack: { type: 'string' },
  json: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  credential: { type: 'string' },
  email: { type: 'string' },
  owner: { type: 'string' },
  effects: { type: 'string' },
  handling: { type: 'string' },
} as const;

/** Returns the options and names of the command line. @throws UsageError if an option is unknown or lacks its value */
export function parseCommandLine(args: readonly string[] = process.argv.slice(2)) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${commandLineProblem(error as Error, Object.keys(options))} ${help}`);
  }
}

export type Options = ReturnType<typeof parseCommandLine>['values'];
