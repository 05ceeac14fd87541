import type { Bark, DogView } from '../../../lambdas/domain/barks/bark.ts';
import type { Dog } from '../../../lambdas/domain/dogs/dog.ts';
import { barkResource, dogDocument } from '../../../lambdas/http/representations.ts';

const suspension = { address: 'max@example.com', reason: 'bounced', since: 90, event: 'not shown' };
const dog = {
  id: 'max',
  settings: { email: 'max@example.com', owner: undefined, barkEffects: ['count'], barkHandling: 'sync' },
  barkCount: 3,
} as unknown as Dog;
const view: DogView = { dog, previous: [], barking: false, next: null, frequency: null };

test.each<[string, Partial<DogView>, object]>([
  ['no barks', {}, {}],
  ['barks in its history', { previous: [100] }, { barks: { previous: [100] } }],
  ['a bark to come', { next: 200 }, { barks: { previous: [], next: 200 } }],
  [
    'a schedule',
    { previous: [100], next: 200, frequency: 10 },
    { barks: { previous: [100], next: 200, frequency: 10 } },
  ],
  [
    'a suspended address',
    { dog: { ...dog, suspensions: [suspension] } as Dog },
    { suspended: [{ address: 'max@example.com', reason: 'bounced', since: 90 }] },
  ],
])('The document of a dog with %s has only the fields with a value', (_, changes, fields) => {
  expect(JSON.parse(JSON.stringify(dogDocument({ ...view, ...changes })))).toStrictEqual({
    id: 'max',
    email: 'max@example.com',
    barkCount: 3,
    barkEffects: ['count'],
    barkHandling: 'sync',
    barking: false,
    ...fields,
  });
});

test.each<[string, Partial<Bark>]>([
  ['has a reason if the bark has one', { status: 'failed', timestamp: null, reason: 'The dog was deleted.' }],
  ['has no reason otherwise', { status: 'complete', timestamp: 100 }],
])('The document of a bark %s', (_, fields) => {
  const bark = { id: 'a01', dog: 'max', seeDog: false, ...fields } as Bark;
  const url = 'https://api.example.com/v1/dogs/max/';
  expect(barkResource(bark, 'https://api.example.com')).toStrictEqual({ id: 'a01', dog: url, ...fields });
});
