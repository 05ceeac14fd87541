import fc from 'fast-check';
import * as v from 'valibot';
import { dogId } from '../../../lambdas/domain/dogs/dog.ts';
import { DogPutDocument } from '../../../lambdas/domain/dogs/schema.ts';
import {
  effects,
  firstSettings,
  idError,
  newDogOf,
  type Settings,
  settingsErrors,
  settingsOf,
} from '../../../web/console/dogs/settings.ts';
import { nearlyUrl } from '../../support/texts.ts';

const nearlyAddress = fc.oneof(
  fc.emailAddress(),
  fc.constantFrom('', 'rex', 'rex@', '@example.com', 'rex@example', 'r x@example.com', 'rex@-a.com'),
);

const settings: fc.Arbitrary<Settings> = fc.record({
  email: nearlyAddress,
  owner: fc.oneof(
    nearlyAddress.map((address) => `mailto:${address}`),
    nearlyAddress.map((address) => `MAILTO:${encodeURIComponent(address)}`),
    fc.constantFrom('', 'urn:owner', 'mailto:a@b.org,c@d.org', 'mailto:a@b.org?subject=x', 'a b', '%', '#é'),
    nearlyUrl,
  ),
  barkEffects: fc.subarray([...effects]),
  barkHandling: fc.constantFrom('async', 'sync'),
});

/** Returns the names of the fields that the service refuses. */
function refusedBy(fields: Settings): string[] {
  const { issues = [] } = v.safeParse(DogPutDocument, newDogOf(fields));
  return issues.map((issue) => String(issue.path?.[0]?.key));
}

test('the console refuses settings before sending if the service would refuse them, and no others', () => {
  fc.assert(
    fc.property(settings, (fields) => {
      const found = Object.keys(settingsErrors(fields));
      const refused = new Set(refusedBy(fields));
      for (const name of found) expect(refused).toContain(name);
      expect(found.length > 0).toBe(refused.size > 0);
    }),
    { numRuns: 200 },
  );
});

test.each(['rex', 'a'.repeat(40), '', 'a'.repeat(41), 'a b', 'ä', '-_'])(
  'the console accepts the ID "%s" if the service accepts it',
  (id) => {
    expect(idError(id) === undefined).toBe(dogId.test(id));
  },
);

test('the fields of a form contain all settings of a dog', () => {
  const dog = {
    id: 'rex',
    barkCount: 3,
    barking: false,
    barkEffects: ['record', 'count'],
    barkHandling: 'sync',
  };
  expect(settingsOf(dog as Parameters<typeof settingsOf>[0])).toEqual({
    ...firstSettings,
    barkEffects: ['count', 'record'],
  });
});

test('an empty field is an absent member of the request', () => {
  expect(newDogOf(firstSettings)).toEqual({ barkEffects: ['record'], barkHandling: 'sync' });
});
