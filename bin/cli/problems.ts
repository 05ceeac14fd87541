import type { Problem } from '../../client/index.ts';
import { problemDescriptions } from '../../openapi/problem-descriptions.ts';
import { CommandFailed, UsageError } from './errors.ts';
import { flagOf } from './flag.ts';

/** The result of a call of the typed client. */
export interface ApiResult<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns the body of a successful response.
 *
 * @throws UsageError if the service refuses what the command line contains
 * @throws CommandFailed with the title, the detail and the remedy of any other problem
 */
export function dataOf<Data>({ data, error, response }: ApiResult<Data>): Data {
  if (response.ok) return data as Data;
  const problem = (error ?? {}) as Partial<Problem>;
  if (problem.errors?.length)
    throw new UsageError(
      problem.errors
        .map(({ pointer, detail }) => `${flagOf(pointer.split('/')[1] ?? '')} ${detail}.`)
        .join('\n'),
    );
  if (!problem.title)
    throw new CommandFailed(
      `The response with the status ${response.status} does not come from a dog service. Check the URL, which includes the stage if it has one.`,
    );
  if (response.status === 401) throw new CommandFailed(unauthorized);
  const texts = [`${problem.title}.`, problem.detail, remedyOf(problem, response)];
  throw new CommandFailed(texts.filter(Boolean).join('\n'));
}

/** Returns the kind of the problem in a response, which is the part of its type that never changes. */
export function kindOf({ error }: ApiResult<unknown>): string | undefined {
  return (error as Partial<Problem> | undefined)?.type?.split('#problem-')[1];
}

/** What to do about a problem, if the API description names a request instead of a command. */
const remedies: Readonly<Record<string, string>> = {
  'dog-not-found': 'List the dogs with "npx dogs list", or create the dog with "npx dogs create".',
  'bark-not-found':
    'List the recorded barks with "npx dogs barks list". The service forgets other barks after seven days.',
  'no-last-bark': 'Make the dog bark with "npx dogs bark".',
  'bark-schedule-not-found': 'Set a schedule with "npx dogs schedule set".',
  'bark-not-cancellable': 'Show its status with "npx dogs barks get".',
  'address-suspended':
    'Show the suspended addresses with "npx dogs get". Set another address with "npx dogs update", or ask an operator to lift the suspension.',
  'precondition-failed': 'Another client made a change at the same time. Run the command again.',
};

const unauthorized =
  'Unauthorized.\nThe service does not accept the name or the password of the user.\nCheck --user or DOGS_USER, and DOGS_PASSWORD. An operator creates a new password with "npx dogs users rotate".';

function remedyOf(problem: Partial<Problem>, response: Response): string | undefined {
  const kind = kindOf({ error: problem, response });
  const retryAfter = response.headers.get('Retry-After');
  if (retryAfter) return `Try again in ${retryAfter} ${retryAfter === '1' ? 'second' : 'seconds'}.`;
  if (kind === undefined) return undefined;
  if (response.status === 500)
    return `Report the ID of the request to an operator: ${problem.instance?.slice(1)}`;
  const descriptions: Readonly<Record<string, { readonly remedy: string }>> = problemDescriptions();
  return remedies[kind] ?? descriptions[kind]?.remedy.replaceAll('`', '');
}
