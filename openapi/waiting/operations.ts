import { maxWaitSeconds } from '../../lambdas/contract/waiting.ts';
import { barks } from '../examples.ts';
import { header } from '../headers.ts';
import { barkOperations } from '../operations/barks.ts';
import { idempotencyKey } from '../parameters.ts';
import { json } from '../schemas.ts';
import type { OperationDescription, Parameter } from '../types.ts';

const { PostBarks, GetBark, PostLastBark } = barkOperations;

const limit = `The longest wait is ${maxWaitSeconds} seconds`;

const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: `\`respond-async\` makes the bark asynchronous: the service responds before the dog barks. \`wait=10\` makes the service wait for an asynchronous bark, for at most 10 seconds from the beginning of the request. ${limit}. The service ignores other preferences, and values that are not whole numbers (RFC 7240).`,
  schema: { type: 'string' },
  example: 'respond-async, wait=10',
};

const preferWait: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: `\`wait=10\` makes the service wait while the bark is pending, for at most 10 seconds from the beginning of the request. ${limit} (RFC 7240).`,
  schema: { type: 'string' },
  example: 'wait=10',
};

const applied = { 'Preference-Applied': header('Preference-Applied') };

/** For an asynchronous bark that failed or was cancelled during the wait. */
const notPerformed = {
  headers: { ...applied, 'Content-Location': header('Content-Location') },
  examples: { failed: barks.failed, cancelled: barks.cancelled },
};

/** The operations that can wait for an asynchronous bark. */
export const waitingOperations = {
  PostBarks: {
    ...PostBarks,
    description: withSentence(
      PostBarks.description,
      'With `Prefer: wait`, the response for an asynchronous bark that is complete in time has the same status as that for a synchronous bark.',
      'Two identical requests',
    ),
    parameters: [prefer, idempotencyKey],
    responses: {
      ...PostBarks.responses,
      200: {
        description:
          'The service has sent the mail, or the request waited for an asynchronous bark that failed or was cancelled.',
        headers: notPerformed.headers,
        content: json('SettledBark', { mailed: barks.unrecorded, ...notPerformed.examples }),
      },
      201: { ...PostBarks.responses[201], headers: { ...PostBarks.responses[201].headers, ...applied } },
      303: { ...PostBarks.responses[303], headers: { ...PostBarks.responses[303].headers, ...applied } },
    },
  },
  GetBark: {
    ...GetBark,
    description: withSentence(
      GetBark.description,
      'With `Prefer: wait`, the service waits until the bark is no longer pending.',
      'The URL of',
    ),
    parameters: [preferWait, ...GetBark.parameters],
    responses: {
      ...GetBark.responses,
      200: { ...GetBark.responses[200], headers: { ...applied, ...GetBark.responses[200].headers } },
      303: { ...GetBark.responses[303], headers: { ...GetBark.responses[303].headers, ...applied } },
    },
  },
  PostLastBark: {
    ...PostLastBark,
    parameters: [prefer, idempotencyKey],
    responses: {
      ...PostLastBark.responses,
      200: {
        description: 'The request waited for an asynchronous bark that failed or was cancelled.',
        headers: notPerformed.headers,
        content: json('Bark', notPerformed.examples),
      },
      201: {
        ...PostLastBark.responses[201],
        headers: { ...applied, ...PostLastBark.responses[201].headers },
      },
    },
  },
} as const satisfies Record<string, OperationDescription>;

/** Inserts a sentence before the one that begins with other text. */
function withSentence(text: string, sentence: string, next: string): string {
  const [before, ...after] = text.split(next);
  if (after.length !== 1) throw new Error(`"${next}" is not in this text once: ${text}`);
  return `${before}${sentence} ${next}${after}`;
}
