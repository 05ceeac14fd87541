import { type Credentials, type DogServiceClient, dogServiceClient } from '../../client/index.ts';
import { jsonOf } from '../../lambdas/domain/platform/json.ts';
import type { CommandContext } from './command.ts';
import { CommandFailed, UsageError } from './errors.ts';
import { ForeignResponse } from './problems.ts';
import { isShallow } from './responses.ts';
import { type Service, serviceOf } from './service.ts';

/** @throws UsageError if the options contradict each other, the URL is invalid, or the user or the password is missing */
export async function connect(context: CommandContext): Promise<DogServiceClient> {
  const service = await serviceOf(context.options);
  const credentials = await credentialsFor(service, context);
  const { baseUrl } = service;
  return dogServiceClient({ baseUrl, credentials, fetch: (request) => send(request, baseUrl) });
}

async function credentialsFor(
  { firstUser }: Service,
  { options, askSecret }: CommandContext,
): Promise<Credentials> {
  const { DOGS_USER, DOGS_PASSWORD } = process.env;
  const username = options.user ?? (DOGS_USER || firstUser?.username);
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

/** More than Lambda and API Gateway permit. */
const maxBytes = 20_000_000;

/**
 * Does not follow redirects, because the body of a 303 contains the bark itself. The body of the returned response is a JSON object
 * or, after some requests, empty.
 *
 * @throws CommandFailed if there is no response, or if it does not come from a dog service
 */
async function send(request: Request, baseUrl: string): Promise<Response> {
  const response = await fetch(request, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause) => {
    throw new CommandFailed(
      `The service at ${baseUrl} cannot be reached (${reasonOf(cause)}). Check that it is running, and that the URL is right.`,
      { cause },
    );
  });
  const { status, headers } = response;
  const foreign = (fault: string) => new ForeignResponse(response, fault, baseUrl);
  const text = await textOf(response, baseUrl);
  if (text === undefined) throw foreign(`has more than ${maxBytes / 1_000_000} MB`);
  if (status === 304 || status > 599) throw foreign('has an unknown status');
  if (status === 204 || status === 205) return new Response(null, { status, headers });
  const document = /\bjson\b/.test(headers.get('Content-Type') ?? '') ? jsonOf(text) : undefined;
  if (document === undefined) throw foreign('is not JSON');
  if (typeof document !== 'object' || document === null || !isShallow(document))
    throw foreign('has an unknown format');
  return new Response(text, { status, headers });
}

/**
 * Returns undefined if the text is too long.
 *
 * @throws CommandFailed if the connection breaks or the text cannot be decompressed
 */
async function textOf({ body }: Response, baseUrl: string): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) return undefined;
    }
  } catch (cause) {
    throw new CommandFailed(
      `The response from ${baseUrl} is incomplete (${reasonOf(cause as Error)}). The service may have processed the request. Check the network.`,
      { cause },
    );
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function reasonOf({ name, cause }: Error): string {
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message ?? name;
}

/**
 * Returns the cursor for the next page, or undefined on the last page.
 *
 * @throws ForeignResponse if the link has no cursor
 */
function cursorOf(response: Response): string | undefined {
  const [, url] = /<([^>]*)>; *rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  if (url === undefined) return undefined;
  const after = URL.parse(url, 'http://localhost')?.searchParams.get('after');
  if (after) return after;
  throw new ForeignResponse(response, 'has an invalid link to the next page');
}

const pageSize = 100;

/** A page without items can have a successor, for example if all its barks were of an earlier dog with the same ID. */
const maxPages = 2_000;

/**
 * Returns at most `--limit` items. Prints a notice if there are more.
 *
 * @throws ForeignResponse if the pages have no end
 */
export async function collect<Item>(
  { options, notice }: CommandContext,
  readPage: (query: { limit: number; after?: string }) => Promise<{ items: Item[]; response: Response }>,
): Promise<Item[]> {
  const { limit = 100 } = options;
  const found: Item[] = [];
  const cursors = new Set<string>();
  for (let after: string | undefined; ; ) {
    const { items, response } = await readPage({ limit: pageSize, ...(after !== undefined && { after }) });
    found.push(...items);
    after = cursorOf(response);
    if (found.length > limit || (found.length === limit && after !== undefined)) break;
    if (after === undefined) return found;
    if (cursors.has(after) || cursors.size > maxPages + limit)
      throw new ForeignResponse(response, 'belongs to a list without an end');
    cursors.add(after);
  }
  notice(`There are more than ${limit}. Show more with --limit.`);
  return found.slice(0, limit);
}
