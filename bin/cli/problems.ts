import * as v from 'valibot';
import type { ProblemType } from '../../lambdas/contract/problem-types.ts';
import { problemDescriptions } from '../../openapi/problem-descriptions.ts';
import { printable } from '../printable.ts';
import { CommandFailed, UsageError } from './errors.ts';
import { flagOf } from './flag.ts';
import { Problem } from './responses.ts';

export interface ApiResult<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** Thrown if a dog service does not send such a response. @param fault what is wrong, as the rest of a sentence */
export class ForeignResponse extends CommandFailed {
  constructor({ status }: Response, fault: string, sender = '') {
    super(
      `The response${sender && ` from ${sender}`} with the status ${status} did not come from a dog service: it ${fault}. Check the URL, including the stage if it has one.`,
    );
  }
}

/**
 * Returns the body of a successful response.
 *
 * @throws UsageError if the service rejects a value from the command line
 * @throws CommandFailed for any other problem, or if the response did not come from a dog service
 */
export function dataOf<Data>(result: ApiResult<Data>, shape: v.GenericSchema): Data {
  check(result);
  return shaped(result.data, shape, result.response) as Data;
}

/**
 * Returns the body if it has the given shape.
 *
 * @throws ForeignResponse if it does not
 */
export function shaped(body: unknown, shape: v.GenericSchema, response: Response): unknown {
  if (v.is(shape, body)) return body;
  throw new ForeignResponse(response, 'has an unknown format');
}

/** Throws the same errors as `dataOf` unless the request succeeded. */
export function check({ error, response }: ApiResult<unknown>): void {
  if (response.ok) return;
  if (!v.is(Problem, error)) throw new ForeignResponse(response, 'is not a problem document');
  if (response.status === 401) throw new CommandFailed(unauthorized);
  const { title, detail, errors = [] } = error;
  if (errors.length > 0)
    throw new UsageError(
      errors
        .map(({ pointer, detail }) => `${fieldOf(pointer)} ${detail}.`)
        .map(printable)
        .join('\n'),
    );
  const texts = [`${title}.`, detail, remedyOf(error, response)];
  throw new CommandFailed(
    texts
      .filter((text) => text !== undefined)
      .map(printable)
      .join('\n'),
  );
}

/** Returns the option of a field and, for an entry of a list, its position. */
function fieldOf(pointer: string): string {
  const [, name = '', index] = pointer.split('/');
  return `${flagOf(name)}${/^\d+$/.test(index ?? '') ? ` (value ${Number(index) + 1})` : ''}`;
}

/** Returns the slug at the end of the problem's `type`. */
export function kindOf({ error }: ApiResult<unknown>): string | undefined {
  return v.is(Problem, error) ? error.type?.split('#problem-')[1] : undefined;
}

/** Commands to suggest instead of the API description's remedies that name requests. */
const remedies: Readonly<Partial<Record<ProblemType, string>>> = {
  'dog-not-found': 'List the dogs with "npx dogs list", or create the dog with "npx dogs create".',
  'bark-not-found':
    'List the recorded barks with "npx dogs barks list". The service forgets other barks after seven days.',
  'no-last-bark':
    'Make the dog bark with "npx dogs bark". If it only sends mail, first add count or record to its bark effects with "npx dogs update".',
  'bark-schedule-not-found': 'Set a schedule with "npx dogs schedule set".',
  'bark-not-cancellable': 'Show its status with "npx dogs barks get".',
  'address-suspended':
    'Show the suspended addresses with "npx dogs get". Set another address with "npx dogs update", or ask an operator to lift the suspension.',
  'precondition-failed': 'Another client made a change at the same time. Run the command again.',
};

const unauthorized =
  'Unauthorized.\nThe service rejected the user name or the password.\nCheck --user or DOGS_USER, and DOGS_PASSWORD. An operator can create a new password with "npx dogs users rotate".';

function remedyOf(problem: v.InferOutput<typeof Problem>, response: Response): string | undefined {
  const kind = kindOf({ error: problem, response });
  const [seconds] = /^\d{1,6}$/.exec(response.headers.get('Retry-After') ?? '') ?? [];
  if (seconds) return `Try again in ${seconds} ${seconds === '1' ? 'second' : 'seconds'}.`;
  if (kind === undefined) return undefined;
  if (response.status === 500) return `Report this request ID to an operator: ${problem.instance?.slice(1)}`;
  const descriptions: Readonly<Record<string, { readonly remedy: string }>> = problemDescriptions();
  return remedies[kind as ProblemType] ?? descriptions[kind]?.remedy.replaceAll('`', '');
}
