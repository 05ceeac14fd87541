import type { Problem } from '../../client/index.ts';
import { problemDescriptions } from '../../openapi/problem-descriptions.ts';
import { CommandFailed, UsageError } from './errors.ts';
import { flagOf } from './flag.ts';

export interface ApiResult<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns the body of a successful response.
 *
 * @throws UsageError if the service rejects a value from the command line
 * @throws CommandFailed for any other problem, or if the response did not come from a dog service
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
      `The response with status ${response.status} did not come from a dog service. Check the URL, including the stage if it has one.`,
    );
  if (response.status === 401) throw new CommandFailed(unauthorized);
  const texts = [`${problem.title}.`, problem.detail, remedyOf(problem, response)];
  throw new CommandFailed(texts.filter(Boolean).join('\n'));
}

/** Returns the slug at the end of the problem's `type`. */
export function kindOf({ error }: ApiResult<unknown>): string | undefined {
  return (error as Partial<Problem> | undefined)?.type?.split('#problem-')[1];
}

/** Commands to suggest instead of the API description's remedies that name requests. */
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
  'Unauthorized.\nThe service rejected the user name or the password.\nCheck --user or DOGS_USER, and DOGS_PASSWORD. An operator can create a new password with "npx dogs users rotate".';

function remedyOf(problem: Partial<Problem>, response: Response): string | undefined {
  const kind = kindOf({ error: problem, response });
  const retryAfter = response.headers.get('Retry-After');
  if (retryAfter) return `Try again in ${retryAfter} ${retryAfter === '1' ? 'second' : 'seconds'}.`;
  if (kind === undefined) return undefined;
  if (response.status === 500) return `Report this request ID to an operator: ${problem.instance?.slice(1)}`;
  const descriptions: Readonly<Record<string, { readonly remedy: string }>> = problemDescriptions();
  return remedies[kind] ?? descriptions[kind]?.remedy.replaceAll('`', '');
}
