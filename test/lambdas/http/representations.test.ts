import type { Bark } from '../../../lambdas/domain/barks/bark.ts';
import type { Dog } from '../../../lambdas/domain/dogs/dog.ts';
import { barkResource, dogDocument } from '../../../lambdas/http/representations.ts';

test('The document of a dog does not show which event suspended an address', () => {
  const shown = { address: 'max@example.com', reason: 'bounced', since: 90 };
  const settings = { email: shown.address, barkEffects: ['count'], barkHandling: 'sync' };
  const dog = { id: 'max', settings, suspensions: [{ ...shown, event: 'not shown' }] } as unknown as Dog;
  const view = { dog, previous: [], barking: false, next: null, frequency: null };
  expect(dogDocument(view)).toHaveProperty('suspended', [shown]);
});

test('The document of a bark has a reason if the bark has one', () => {
  const bark: Bark = {
    id: 'a01',
    dog: 'max',
    status: 'failed',
    timestamp: null,
    reason: 'The dog was deleted.',
    seeDog: false,
  };
  const { seeDog: _, ...fields } = bark;
  expect(barkResource(bark, '')).toEqual({ ...fields, dog: '/v1/dogs/max/' });
});
