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
import { listAccessItems } from '../../../../lambdas/domain/access/items.ts';
import {
  createUser,
  isPassword,
  revokeUser,
  rotatePassword,
} from '../../../../lambdas/domain/access/users.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { AlreadyExists, InvalidGrant, NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import { issueToken } from '../../../../lambdas/domain/tokens/issue.ts';
import { ensureKey } from '../../../../lambdas/domain/tokens/signing-keys.ts';
import { at, newContext } from '../../../support/context.ts';
import { calls, Process, plan, reset, useFunctions } from '../../../support/faults.ts';

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

/** Creates a grant of the client `walker` for the user `jane`, and returns its refresh token. */
async function grant(options = once): Promise<string> {
  return (await createGrant('jane', 'walker', options, newContext())).refreshToken;
}

/** Revokes the user or the client, and creates another one with the same name. */
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

  test('throws AlreadyExists for a user and a client that have a grant, and keeps its refresh token', async () => {
    const refreshToken = await grant();
    await expect(grant()).rejects.toThrow(AlreadyExists);
    expect(await areAccepted(refreshToken)).toEqual([true]);
  });

  test('throws AlreadyExists even if the user has a new password and the client a new secret', async () => {
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

  test('succeeds for exactly one of several concurrent calls', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => grant()));
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(won).toHaveLength(1);
    for (const reason of lost) expect(reason).toBeInstanceOf(AlreadyExists);
    expect(await areAccepted(...won)).toEqual([true]);
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

  test('distinguishes two users of one client', async () => {
    await createUser('jane.walker', again, newContext());
    await grant();
    const { refreshToken } = await createGrant('jane.walker', 'walker', again, newContext());
    expect(await areAccepted(refreshToken)).toEqual([true]);
  });
});

describe('createGrant with `replace`', () => {
  test('replaces the refresh token with one write, so that the old one stops working', async () => {
    const old = await grant();
    reset();
    const fresh = await grant(again);
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
    expect(await areAccepted(old, fresh)).toEqual([false, true]);
  });

  test.each([
    ['before', 'dies', true],
    ['after', 'dies after', false],
  ] as const)(
    'keeps one working refresh token if the process dies %s the write',
    async (_, fault, keepsOld) => {
      const old = await grant();
      const process = new Process();
      process.plan('TransactWriteItems', fault);
      await process.run(() => grant(again));
      expect(process.dead).toBe(true);
      expect(await areAccepted(old)).toEqual([keepsOld]);
      expect(await areAccepted(old, await grant(again))).toEqual([false, true]);
    },
  );
});

describe('rotateRefreshToken', () => {
  const rotate = async () => (await rotateRefreshToken('jane', 'walker', newContext())).refreshToken;

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

describe('A name that is longer than a DynamoDB key and has many parts', () => {
  const name = Array(1200).fill('a').join('/');

  test('is not the name of a user', async () => {
    expect(await isPassword(name, 'password', newContext())).toBe(false);
  });

  test('is not the name of a client', async () => {
    expect(await authenticatedClient(name, 'secret', newContext())).toBeUndefined();
  });

  test('is not the name in a valid refresh token', async () => {
    expect(await areAccepted('x'.repeat(43) + Buffer.from(name).toString('base64url'))).toEqual([false]);
  });
});

describe('rotatePassword', () => {
  test('ends the former password and keeps the grants of the user', async () => {
    const old = await createUser('jane', again, newContext());
    const refreshToken = await grant();
    const fresh = await rotatePassword('jane', newContext());
    expect(await isPassword('jane', old, newContext())).toBe(false);
    expect(await isPassword('jane', fresh, newContext())).toBe(true);
    expect(await areAccepted(refreshToken)).toEqual([true]);
  });

  test('creates no user', async () => {
    await expect(rotatePassword('absent', newContext())).rejects.toThrow(NotFound);
    await expect(revokeUser('absent', newContext())).rejects.toThrow(NotFound);
  });
});

describe('rotateClientSecret', () => {
  test('ends the former secret', async () => {
    const fresh = await rotateClientSecret('walker', newContext());
    expect(await authenticatedClient('walker', clientSecret, newContext())).toBeUndefined();
    expect(await authenticatedClient('walker', fresh, newContext())).toBeDefined();
  });

  test('creates no client', async () => {
    await expect(rotateClientSecret('absent', newContext())).rejects.toThrow(NotFound);
    await expect(revokeClient('absent', newContext())).rejects.toThrow(NotFound);
  });
});

describe('if the response of a write is lost,', () => {
  /** Loses the response of the first write of each kind. The database does not recognize a repeated transaction by its token. */
  function loseResponses() {
    plan('UpdateItem', 'response lost');
    plan('TransactWriteItems', 'response and token lost');
  }

  const isClient = async (id: string, secret: string) =>
    (await authenticatedClient(id, secret, newContext())) !== undefined;

  test.each([
    ['createUser', () => createUser('lost', once, newContext())],
    ['createUser with `replace`', () => createUser('jane', again, newContext())],
    ['rotatePassword', () => rotatePassword('jane', newContext())],
  ])('%s returns the password that works', async (_, write) => {
    loseResponses();
    const password = await write();
    const works = ['lost', 'jane'].map((name) => isPassword(name, password, newContext()));
    expect(await Promise.all(works)).toContain(true);
    await revokeUser('lost', newContext()).catch(() => {});
  });

  test.each([
    ['createClient', () => createClient('lost', once, newContext())],
    ['createClient with `replace`', () => createClient('walker', again, newContext())],
    ['rotateClientSecret', () => rotateClientSecret('walker', newContext())],
  ])('%s returns the secret that works', async (_, write) => {
    loseResponses();
    const secret = await write();
    expect(await Promise.all(['lost', 'walker'].map((id) => isClient(id, secret)))).toContain(true);
    await revokeClient('lost', newContext()).catch(() => {});
  });

  test.each([
    ['createGrant', once],
    ['createGrant with `replace`', again],
  ])('%s returns the refresh token that works', async (_, options) => {
    loseResponses();
    expect(await areAccepted(await grant(options))).toEqual([true]);
  });

  test('rotateRefreshToken returns the refresh token that works', async () => {
    await grant();
    loseResponses();
    const { refreshToken } = await rotateRefreshToken('jane', 'walker', newContext());
    expect(await areAccepted(refreshToken)).toEqual([true]);
  });

  test.each([
    ['revokeUser', 'user', () => revokeUser('jane', newContext())],
    ['revokeClient', 'client', () => revokeClient('walker', newContext())],
    ['revokeGrant', 'grant', () => revokeGrant('jane/walker', newContext())],
  ] as const)('%s succeeds', async (_, type, revoke) => {
    await grant();
    loseResponses();
    await revoke();
    const names = (await listAccessItems(type, newContext)).map(({ name }) => name);
    expect(names).not.toContain({ user: 'jane', client: 'walker', grant: 'jane/walker' }[type]);
  });

  test('revokeUser does not delete a user that another operator creates in the meantime', async () => {
    let password = '';
    const recreateUser = async () => {
      password = await createUser('jane', once, newContext());
    };
    plan('TransactWriteItems', 'response lost');
    plan('TransactWriteItems', recreateUser);
    await revokeUser('jane', newContext());
    expect(await isPassword('jane', password, newContext())).toBe(true);
  });

  test('createUser throws AlreadyExists for the user of another operator', async () => {
    await revokeUser('jane', newContext());
    plan('UpdateItem', () => createUser('jane', once, newContext()));
    await expect(createUser('jane', once, newContext())).rejects.toThrow(AlreadyExists);
  });
});

describe('listGrants and readGrant', () => {
  test('return each grant without its hash, and whether it is valid', async () => {
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
});

describe('listAccessItems', () => {
  test('returns the items of one type, sorted by name, without hashes', async () => {
    await createUser('anna', again, newContext());
    const items = await listAccessItems('user', newContext);
    const names = items.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['anna', 'jane']));
    expect(names).toEqual([...names].sort());
    for (const item of items)
      expect(Object.keys(item).sort()).toEqual(['created', 'incarnation', 'name', 'pk']);
    expect((await listAccessItems('client', newContext)).map(({ name }) => name)).toContain('walker');
  });

  test('reads all pages', async () => {
    const filler = 'x'.repeat(300_000);
    const names = Array.from({ length: 5 }, (_, i) => `many-${i}`);
    for (const one of names) {
      const Item = { pk: `u#${one}`, incarnation: 'past', created: 0, filler };
      await database.send(new PutCommand({ TableName: process.env.ACCESS_TABLE, Item }));
    }
    const listed = (await listAccessItems('user', newContext)).map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(names));
    for (const one of names) await revokeUser(one, newContext());
  });
});
