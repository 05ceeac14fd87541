import { parseArgs } from 'node:util';

export const usage = `The operator's command line of the dog service.

  npm run operator -- <command> [options]

  access create <name>       a user, a client of the same name, and a grant between them: all that it takes to call, as
                             access.json has it. --credential <name> stores a credential of them, too
  users create <name>        prints the password, once
  users revoke <name>
  clients create <id>        a client of the token endpoint; prints its secret, once
  clients revoke <id>
  grants create <user> <client>
                             lets the client act for the user; prints the refresh token, once
  grants revoke <grant>      by the name that was printed with it
  keys replace               a new key to sign access tokens with
  credentials put <name>     a credential to keep fresh; reads {"auth_url", "client_id", "client_secret",
                             "refresh_token"} as JSON from its input, and stores what they yield
  credentials show <name>    prints the credential, secrets and all
  credentials move <name> <from> <to>
                             its token endpoint, if it is below the URL <from>, is below <to> now
  dogs put <id>              creates or replaces a dog. --email <address> --owner <URI> --handling sync|async
                             --effects emailDog,emailOwner,count,record
  dogs purge                 removes what deleted dogs left, wherever their own purge was lost. After a restore, fill the
                             table of dogs first: what has no dog is taken for such
  schedules repair           makes the schedules again that the scheduler lacks
  queues list                how many messages lie in each queue of what could not be done
  queues show <queue>        each message: why it lies there, and its event
  queues resend <queue>      sends each event to its function again; what was taken leaves the queue
  queues delete <queue> <id> a message that nobody needs any more
  queues clear <queue>       all of them
  tables fill <table> <from> puts the items of another table, such as a restored one, into dogs, barks or access
  tables protect             turns on DynamoDB's deletion protection for the tables. npm run deploy does this, too

  --replace                  replaces the password of a user, the secret of a client or the refresh token of a grant that
                             exists already. With tables fill, overwrites items that are in the table
  --json                     prints JSON
  --stack <name>             acts on a deployed stack, with your AWS credentials and region; without it on the service
                             that runs on this machine (DATA_DIR, .local by default)`;

/** Where all commands are told. */
export const help = 'npm run operator -- --help tells what there is.';

/** A fault of the call, told without a stack trace. */
export class UsageError extends Error {}

/** @throws UsageError */
export function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        stack: { type: 'string' },
        json: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        credential: { type: 'string' },
        email: { type: 'string' },
        owner: { type: 'string' },
        effects: { type: 'string' },
        handling: { type: 'string' },
      },
    });
  } catch (error) {
    const [what] = (error as Error).message.split('. ');
    throw new UsageError(`${what}. ${help}`);
  }
}

export type Options = ReturnType<typeof parseCommandLine>['values'];
