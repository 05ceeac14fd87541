import { PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  authenticatedClient,
  createClient,
  revokeClient,
  rotateClientSecret,
} from '../../../../lambdas/domain/access/clients.ts';
import {
  createGrant,
  listGrants,
  readGrant,
  revokeGrant,
  rotateRefreshToken,
} from '../../../../lambdas/domain/access/grants.ts';
import { AlreadyExists, listAccessItems } from '../../../../lambdas/domain/access/items.ts';
import {
  createUser,
  isPassword,
  revokeUser,
  rotatePassword,
} from '../../../../lambdas/domain/access/users.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { InvalidGrant, NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import { issueToken } from '../../../../lambdas/domain/tokens/issue.ts';
import { ensureKey } from '../../../../lambdas/domain/tokens/signing-keys.ts';
import { at, newContext } from '../../../support/context.ts';
import { calls, plan, reset, useFunctions } from '../../../support/faults.ts';

useFunctions();

const once = { replace: false };
const again = { replace: true };

let clientSecret: string;

beforeEach(async () => {
  await ensureKey(newContext);
  await createUser('jane', again, newContext());
  clientSecret = await createClient('walker', again, newContext());
  await revokeGrant('jane/walker', newContext()).catch(() => {});
  reset();
});

async function grant(options = once): Promise<string> {
  return (await createGrant('jane', 'walker', options, newContext())).refreshToken;
}

const rotate = async () => (await rotateRefreshToken('jane', 'walker', newContext())).refreshToken;

const recreate = {
  async user() {
    await revokeUser('jane', newContext());
    await createUser('jane', once, newContext());
  },
  async client() {
    await revokeClient('walker', newContext());
    clientSecret = await createClient('walker', once, newContext());
  },
};

/** Returns for each refresh token whether the token endpoint accepts it from the client `walker`. */
function areAccepted(...refreshTokens: readonly string[]): Promise<boolean[]> {
  const isAccepted = async (refreshToken: string) => {
    const request = { clientId: 'walker', clientSecret, grantType: 'refresh_token', refreshToken };
    try {
      await issueToken(request, newContext());
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidGrant);
      return false;
    }
  };
  return Promise.all(refreshTokens.map(isAccepted));
}

describe('createGrant', () => {
  test('returns the name of the grant and a refresh token that has 256 random bits', async () => {
    const { grant: name, refreshToken } = await createGrant('jane', 'walker', once, newContext());
    expect(name).toBe('jane/walker');
    expect(refreshToken).toMatch(/^[\w-]{43,}$/);
    expect(await areAccepted(refreshToken)).toEqual([true]);
  });

  test('throws AlreadyExists for a user and a client that have a grant, even with a new password and secret, and keeps its refresh token', async () => {
    const refreshToken = await grant();
    await createUser('jane', again, newContext());
    clientSecret = await createClient('walker', again, newContext());
    await expect(grant()).rejects.toThrow(AlreadyExists);
    expect(await areAccepted(refreshToken)).toEqual([true]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the grant is revoked', () => revokeGrant('jane/walker', newContext())],
    ['the user is revoked and created again', recreate.user],
    ['the client is revoked and created again', recreate.client],
  ])('creates a grant again after %s, and the old refresh token stays invalid', async (_, revoke) => {
    const old = await grant();
    await revoke();
    expect(await areAccepted(old)).toEqual([false]);
    expect(await areAccepted(old, await grant())).toEqual([false, true]);
  });

  test('returns a refresh token of the current user if another operator creates the user again in the meantime', async () => {
    plan('TransactWriteItems', recreate.user);
    expect(await areAccepted(await grant())).toEqual([true]);
  });

  test.each([
    ['user', 'unknown', 'walker'],
    ['client', 'jane', 'unknown'],
  ])('throws NotFound for an unknown %s', async (_, user, client) => {
    await expect(createGrant(user, client, again, newContext())).rejects.toThrow(NotFound);
  });
});

test('createGrant with `replace` replaces the refresh token with one write, so that the old one stops working', async () => {
  const old = await grant();
  reset();
  const fresh = await grant(again);
  expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
  expect(await areAccepted(old, fresh)).toEqual([false, true]);
});

describe('rotateRefreshToken', () => {
  test('ends the former refresh token and returns one that works', async () => {
    const old = await grant();
    expect(await areAccepted(old, await rotate())).toEqual([false, true]);
  });

  test('creates no grant', async () => {
    await expect(rotate()).rejects.toThrow(NotFound);
    await expect(readGrant('jane', 'walker', newContext())).rejects.toThrow(NotFound);
  });

  test.each(['user', 'client'] as const)(
    'does not replace the grant of an earlier incarnation of the %s',
    async (type) => {
      await grant();
      await recreate[type]();
      await expect(rotate()).rejects.toThrow(NotFound);
    },
  );
});

test('A name that is longer than a DynamoDB key and has many parts is not that of a user or a client', async () => {
  const name = Array(1200).fill('a').join('/');
  expect(await isPassword(name, 'password', newContext())).toBe(false);
  expect(await authenticatedClient(name, 'secret', newContext())).toBeUndefined();
  expect(await areAccepted('x'.repeat(43) + Buffer.from(name).toString('base64url'))).toEqual([false]);
});

test('A new password keeps the grants of the user', async () => {
  const refreshToken = await grant();
  await rotatePassword('jane', newContext());
  expect(await areAccepted(refreshToken)).toEqual([true]);
});

/** Loses the response of the first write of each kind. The database does not recognize a repeated transaction by its token. */
function loseResponses() {
  plan('UpdateItem', 'response lost');
  plan('TransactWriteItems', 'response and token lost');
}

const namesOf = async (type: 'user' | 'client' | 'grant') =>
  (await listAccessItems(type, newContext)).map(({ name }) => name);

const isClient = async (...client: Parameters<typeof authenticatedClient>) =>
  (await authenticatedClient(...client)) !== undefined;

describe.each([
  ['user', createUser, rotatePassword, revokeUser, isPassword],
  ['client', createClient, rotateClientSecret, revokeClient, isClient],
] as const)('The secret of a %s', (type, create, rotate, revoke, isSecret) => {
  test('is replaced by a rotation', async () => {
    const old = await create('max', again, newContext());
    const fresh = await rotate('max', newContext());
    expect(await isSecret('max', old, newContext())).toBe(false);
    expect(await isSecret('max', fresh, newContext())).toBe(true);
  });

  test('cannot be replaced or revoked if there is none', async () => {
    await expect(rotate('absent', newContext())).rejects.toThrow(NotFound);
    await expect(revoke('absent', newContext())).rejects.toThrow(NotFound);
  });

  test.each([
    ['creation', (name: string) => create(`new-${name}`, once, newContext())],
    ['replacement', () => create('max', again, newContext())],
    ['rotation', () => rotate('max', newContext())],
  ])('works if the response of its %s is lost', async (_, write) => {
    await create('max', again, newContext());
    loseResponses();
    const secret = await write(type);
    const works = ['max', `new-${type}`].map((name) => isSecret(name, secret, newContext()));
    expect(await Promise.all(works)).toContain(true);
  });

  test('is revoked even if the response is lost', async () => {
    await create('max', again, newContext());
    loseResponses();
    await revoke('max', newContext());
    expect(await namesOf(type)).not.toContain('max');
  });
});

describe('if the response of a write is lost,', () => {
  test.each([
    ['createGrant', async () => {}, () => grant()],
    ['createGrant with `replace`', async () => {}, () => grant(again)],
    ['rotateRefreshToken', () => grant(), rotate],
  ])('%s returns the refresh token that works', async (_, prepare, write) => {
    await prepare();
    loseResponses();
    expect(await areAccepted(await write())).toEqual([true]);
  });

  test('revokeGrant succeeds', async () => {
    await grant();
    loseResponses();
    await revokeGrant('jane/walker', newContext());
    expect(await namesOf('grant')).not.toContain('jane/walker');
  });

  test('revokeUser does not delete a user that another operator creates in the meantime', async () => {
    plan('TransactWriteItems', 'response lost');
    plan('TransactWriteItems', () => createUser('jane', once, newContext()));
    await revokeUser('jane', newContext());
    expect(await namesOf('user')).toContain('jane');
  });

  test('createUser throws AlreadyExists for the user of another operator', async () => {
    await revokeUser('jane', newContext());
    plan('UpdateItem', () => createUser('jane', once, newContext()));
    await expect(createUser('jane', once, newContext())).rejects.toThrow(AlreadyExists);
  });
});

test('listGrants and readGrant return each grant without its hash, and whether it is valid', async () => {
  await grant();
  const expectGrant = async (valid: boolean) => {
    const shown = { user: 'jane', client: 'walker', created: at, valid };
    expect(await listGrants(newContext)).toContainEqual(shown);
    expect(await readGrant('jane', 'walker', newContext())).toEqual(shown);
  };
  await expectGrant(true);
  await revokeUser('jane', newContext());
  await expectGrant(false);
  await createUser('jane', once, newContext());
  await expectGrant(false);
  await grant();
  await recreate.client();
  await expectGrant(false);
});

test('listAccessItems returns the items of all pages, sorted by name, without hashes', async () => {
  const filler = 'x'.repeat(150_000);
  const names = Array.from({ length: 5 }, (_, i) => `many-${i}`);
  for (const one of names) {
    const Item = { pk: `u#${one}`, incarnation: 'past', created: 0, filler, passwordHash: filler };
    await database.send(new PutCommand({ TableName: process.env.ACCESS_TABLE, Item }));
  }
  const items = await listAccessItems('user', newContext);
  const listed = items.map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining(['jane', ...names]));
  expect(listed).toEqual([...listed].sort());
  for (const one of items) expect(Object.keys(one).sort()).toEqual(['created', 'incarnation', 'name', 'pk']);
});
