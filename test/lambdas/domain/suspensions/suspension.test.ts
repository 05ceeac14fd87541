import type { Dog, Suspension } from '../../../../lambdas/domain/dogs/dog.ts';
import {
  isSuspended,
  suspensionsOf,
  withLifted,
  withSuspended,
} from '../../../../lambdas/domain/suspensions/suspension.ts';

const settings = {
  email: 'dog@example.com',
  owner: 'mailto:owner@example.com',
  barkEffects: ['emailDog', 'emailOwner'],
  barkHandling: 'sync',
} as const satisfies Dog['settings'] | object;

function dogWith(...suspensions: Suspension[]): Pick<Dog, 'settings' | 'suspensions'> {
  return { settings: { ...settings, barkEffects: [...settings.barkEffects] }, suspensions };
}

const bounced = (address: string, more: Partial<Suspension> = {}): Suspension => ({
  address,
  reason: 'bounced',
  since: 100,
  ...more,
});
const formerAddresses = (count: number) =>
  Array.from({ length: count }, (_, i) => bounced(`former-${i}@example.com`));
const complaint = { reason: 'complained', since: 200 } as const;

describe('suspensionsOf', () => {
  test('returns the suspensions of the current addresses that were not lifted', () => {
    const own = bounced('dog@example.com');
    const lifted = bounced('owner@example.com', { lifted: 150 });
    expect(suspensionsOf(dogWith(bounced('former@example.com'), own, lifted))).toEqual([own]);
  });

  test('returns none for a dog that has never had one', () => {
    expect(suspensionsOf({ settings: dogWith().settings })).toEqual([]);
  });
});

describe('isSuspended', () => {
  test.each([
    ['dog@example.com', true],
    ['DOG@Example.com', true],
    ['owner@example.com', false],
    ['other@example.com', false],
  ])('for %s returns %s', (address, expected) => {
    const dog = dogWith(bounced('dog@example.com'), bounced('owner@example.com', { lifted: 150 }));
    expect(isSuspended(dog, address)).toBe(expected);
  });
});

describe('withSuspended', () => {
  test('adds the addresses of the dog, as the dog has them', () => {
    const addresses = ['OWNER@example.com', 'dog@example.com', 'other@example.com'];
    expect(withSuspended(dogWith(), addresses, complaint)).toEqual([
      { address: 'dog@example.com', ...complaint },
      { address: 'owner@example.com', ...complaint },
    ]);
  });

  test('adds an address once if the dog and its owner have the same', () => {
    const dog = dogWith();
    const same = { ...dog, settings: { ...dog.settings, owner: 'mailto:dog@example.com' } };
    expect(withSuspended(same, ['dog@example.com'], complaint)).toHaveLength(1);
  });

  test('ignores addresses that the dog does not have', () => {
    expect(withSuspended(dogWith(), ['former@example.com'], complaint)).toBeUndefined();
  });

  test('keeps the first cause', () => {
    const dog = dogWith(bounced('dog@example.com'));
    expect(withSuspended(dog, ['dog@example.com'], complaint)).toBeUndefined();
  });

  test.each([
    ['before', 201],
    ['in the same second as', 200],
  ])('ignores a cause that occurred %s the lifting', (_, lifted) => {
    const dog = dogWith(bounced('dog@example.com', { lifted }));
    expect(withSuspended(dog, ['dog@example.com'], complaint)).toBeUndefined();
  });

  test('suspends an address again whose recipient unsubscribes in the second of the lifting', () => {
    const unsubscribed = { reason: 'unsubscribed', since: 200 } as const;
    const dog = dogWith(bounced('dog@example.com', { lifted: 200 }));
    expect(withSuspended(dog, ['dog@example.com'], unsubscribed)).toEqual([
      { address: 'dog@example.com', ...unsubscribed, first: 100 },
    ]);
  });

  test('replaces a lifted suspension after a later cause, in its place, and keeps the time of the first one', () => {
    const other = bounced('former@example.com');
    const dog = dogWith(bounced('DOG@example.com', { lifted: 199 }), other);
    const suspensions = withSuspended(dog, ['dog@example.com', 'owner@example.com'], complaint) ?? [];
    const again = { address: 'dog@example.com', ...complaint, first: 100 };
    expect(suspensions).toEqual([again, other, { address: 'owner@example.com', ...complaint }]);
    const lifted = withLifted(dogWith(...suspensions), 'dog@example.com', 300) ?? [];
    expect(withSuspended(dogWith(...lifted), ['dog@example.com'], { ...complaint, since: 400 })?.[0]).toEqual(
      { ...again, since: 400 },
    );
  });

  test('keeps all suspensions', () => {
    const stored = formerAddresses(99);
    const all = withSuspended(dogWith(...stored), ['dog@example.com', 'owner@example.com'], complaint);
    expect(all).toEqual([
      ...stored,
      { address: 'dog@example.com', ...complaint },
      { address: 'owner@example.com', ...complaint },
    ]);
  });
});

describe('A dog whose list of suspensions is full', () => {
  const stored = formerAddresses(100);
  const dog = dogWith(...stored);
  const implied = (address: string) => ({ address, reason: 'list-full', since: 100 });

  test('must not send mail to any address, and shows this', () => {
    for (const address of ['dog@example.com', 'former-0@example.com', 'any@example.com'])
      expect(isSuspended(dog, address)).toBe(true);
    expect(suspensionsOf(dog)).toEqual([implied('dog@example.com'), implied('owner@example.com')]);
  });

  test('stores no further suspension, because each address is already suspended', () => {
    expect(withSuspended(dog, ['dog@example.com'], complaint)).toBeUndefined();
  });

  test('sends mail to an address that the operator lifted, until it is suspended again', () => {
    const lifted = withLifted(dog, 'DOG@example.com', 300) ?? [];
    expect(lifted).toEqual([...stored, { ...implied('dog@example.com'), lifted: 300 }]);
    expect(isSuspended({ suspensions: lifted }, 'dog@example.com')).toBe(false);
    expect(isSuspended({ suspensions: lifted }, 'owner@example.com')).toBe(true);
    expect(
      withSuspended(dogWith(...lifted), ['dog@example.com'], { ...complaint, since: 300 }),
    ).toBeUndefined();
    expect(withSuspended(dogWith(...lifted), ['dog@example.com'], { ...complaint, since: 301 })).toEqual([
      ...stored,
      { address: 'dog@example.com', ...complaint, since: 301, first: 100 },
    ]);
  });

  test.each([0, 50, 99])(
    'shows the same time after another address, the entry %i, was suspended again',
    (index) => {
      const owned = stored.map((one, i) => (i === index ? bounced('owner@example.com') : one));
      const lifted = withLifted(dogWith(...owned), 'owner@example.com', 300) ?? [];
      const again = withSuspended(dogWith(...lifted), ['owner@example.com'], { ...complaint, since: 400 });
      expect(suspensionsOf(dogWith(...(again ?? [])))).toEqual([
        implied('dog@example.com'),
        { address: 'owner@example.com', ...complaint, since: 400, first: 100 },
      ]);
    },
  );

  test('stays full after the operator has lifted a suspension', () => {
    const suspensions = withLifted(dog, 'former-0@example.com', 300) ?? [];
    expect(isSuspended({ suspensions }, 'former-0@example.com')).toBe(false);
    expect(isSuspended({ suspensions }, 'dog@example.com')).toBe(true);
  });

  test('gets no entry for an address that it does not have', () => {
    expect(withLifted(dog, 'other@example.com', 300)).toBeUndefined();
  });
});

describe('withLifted', () => {
  test('marks the suspension as lifted, and keeps the others', () => {
    const other = bounced('owner@example.com');
    const dog = dogWith(bounced('dog@example.com'), other);
    expect(withLifted(dog, 'DOG@example.com', 300)).toEqual([
      bounced('dog@example.com', { lifted: 300 }),
      other,
    ]);
  });

  test.each([
    ['is already lifted', 'dog@example.com'],
    ['does not exist', 'other@example.com'],
  ])('changes nothing if the suspension %s', (_, address) => {
    expect(withLifted(dogWith(bounced('dog@example.com', { lifted: 150 })), address, 300)).toBeUndefined();
    expect(withLifted({ settings: dogWith().settings }, address, 300)).toBeUndefined();
  });
});
