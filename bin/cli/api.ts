import { type Credentials, type DogServiceClient, dogServiceClient } from '../../client/index.ts';
import type { CommandContext, Options } from './command.ts';
import { outputsOf, readLocalFile, readOperatorFile } from './deployment.ts';
import { CommandFailed, UsageError } from './errors.ts';

interface Service {
  readonly baseUrl: string;
  /** Only for the service on this machine. */
  readonly firstUser?: Credentials;
}

/** @throws UsageError if the options contradict each other, the URL is invalid, or the user or the password is missing */
export async function connect(context: CommandContext): Promise<DogServiceClient> {
  const service = await serviceOf(context.options);
  const credentials = await credentialsFor(service, context);
  const { baseUrl } = service;
  return dogServiceClient({ baseUrl, credentials, fetch: (request) => send(request, baseUrl) });
}

/**
 * Options take precedence over environment variables. If neither names a service, returns the service on this machine. That
 * service must first prove its identity, because the client sends it a password.
 */
export async function serviceOf(options: Options): Promise<Service> {
  const { DOGS_URL, DOGS_STACK } = process.env;
  if (options.url && options.stack)
    throw new UsageError('Use either --url or --stack, because both name a service.');
  const url = options.url || (options.stack ? undefined : DOGS_URL);
  if (url) return { baseUrl: checkUrl(url) };
  const stack = options.stack || DOGS_STACK;
  if (stack) return { baseUrl: checkUrl((await outputsOf(stack)).BaseUrl) };
  await readOperatorFile();
  const { base_url, username, password } = readLocalFile(
    'access.json',
    ['base_url', 'username', 'password'],
    'Restore it from a backup. If you delete it, the next start creates a new password.',
  );
  return { baseUrl: base_url, firstUser: { username, password } };
}

function checkUrl(url: string): string {
  // `fetch` refuses a URL that contains a username.
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url) || !URL.canParse(url))
    throw new UsageError(
      `"${url}" is not the URL of a service. Specify a URL such as https://dogs.example.com.`,
    );
  return url.replace(/\/+$/, '');
}

async function credentialsFor(
  { firstUser }: Service,
  { options, askSecret }: CommandContext,
): Promise<Credentials> {
  const { DOGS_USER, DOGS_PASSWORD } = process.env;
  const username = options.user || DOGS_USER || firstUser?.username;
  if (!username)
    throw new UsageError(
      'Name the user with --user or DOGS_USER. An operator creates users with "npx dogs users create".',
    );
  const password =
    DOGS_PASSWORD ||
    (username === firstUser?.username ? firstUser.password : await askSecret(`Password of ${username}: `));
  if (!password)
    throw new UsageError(
      `The password of the user "${username}" is missing. Set DOGS_PASSWORD, or enter the password in a terminal.`,
    );
  return { username, password };
}

/** API Gateway always responds sooner. */
const timeoutMs = 60_000;

/**
 * Does not follow redirects, because the body of a 303 contains the bark itself.
 *
 * @throws CommandFailed if there is no response, or if it does not come from a dog service
 */
async function send(request: Request, baseUrl: string): Promise<Response> {
  const response = await fetch(request, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause) => {
    const reason = cause.cause?.code ?? cause.cause?.message ?? cause.name;
    throw new CommandFailed(
      `The service at ${baseUrl} does not respond (${reason}). Check that it is running, and that the URL is right.`,
      { cause },
    );
  });
  const hasJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '');
  if (hasJson || response.status === 204 || response.status === 205) return response;
  throw new CommandFailed(
    `The program at ${baseUrl} is not a dog service: its response with the status ${response.status} is not JSON. Check the URL.`,
  );
}

/** Returns the cursor for the next page, or undefined on the last page. */
function cursorOf({ headers }: Response): string | undefined {
  const [, url] = /<([^>]+)>; *rel="next"/.exec(headers.get('Link') ?? '') ?? [];
  return url === undefined ? undefined : (new URL(url).searchParams.get('after') ?? undefined);
}

const pageSize = 100;

/** Returns at most `--limit` items. Prints a notice if there are more. */
export async function collect<Item>(
  { options, notice }: CommandContext,
  readPage: (query: { limit: number; after?: string }) => Promise<{ items: Item[]; response: Response }>,
): Promise<Item[]> {
  const { limit = 100 } = options;
  const found: Item[] = [];
  for (let after: string | undefined; ; ) {
    const { items, response } = await readPage({ limit: pageSize, ...(after !== undefined && { after }) });
    found.push(...items);
    after = cursorOf(response);
    if (found.length > limit || (found.length === limit && after !== undefined)) break;
    if (after === undefined) return found;
  }
  notice(`There are more than ${limit}. Show more with --limit.`);
  return found.slice(0, limit);
}
