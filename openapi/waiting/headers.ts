import { maxWaitSeconds } from '../../lambdas/contract/waiting.ts';
import type { Header } from '../types.ts';

/** The header fields of responses to requests that may wait. */
export const waitingHeaders = {
  'Preference-Applied': {
    description:
      'The preferences that the service has applied to an asynchronous bark: `respond-async`, `wait` with the longest time that the service waits, or both. The field is absent if the service has applied none.',
    schema: {
      type: 'string',
      pattern: `^(respond-async|(respond-async, )?wait=([1-9]|1[0-9]|${maxWaitSeconds}))$`,
    },
    example: 'respond-async, wait=10',
  },
  'Content-Location': {
    description: 'The URL of the bark in the body. The field is absent if the bark is complete.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://dogs.example.com/v1/dogs/rex/barks/a01M7XTJQRGHZ3MM2X05VM3ARQN',
  },
} as const satisfies Record<string, Header>;
