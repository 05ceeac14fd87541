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
import { listAccessItems } from '../../../../lambdas/domain/access/repository.ts';
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
import { useDatabase } from '../../../support/database.ts';
import { calls, injectFaults, Process, plan, reset } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);

const newContext = () => ({ now: Date.now(), signal: AbortSignal.timeout(8_000) });
const once = { replace: false };
const again = { replace: true };

let clientSecret: string;

beforeEach(async () => {
  reset();
  await ensureKey(newContext);
  await createUser('jane', again, newContext());
  clientSecret = await createClient('walker', again, newContext());
  await revokeGrant('jane/walker', newContext()).catch(() => {});
  reset();
});

/** Returns true if the token endpoint accepts a refresh token of the client `walker`. */
async function isAccepted(refreshToken: string, secret = clientSecret): Promise<boolean> {
  const request = { clientId: 'walker', clientSecret: secret, grantType: 'refresh_token', refreshToken };
  return issueToken(request, newContext()).then(
    () => true,
    (error) => {
      if (error instanceof InvalidGrant) return false;
      throw error;
    },
  );
}

describe('createGrant', () => {
  test('returns a refresh token that has 256 random bits and the name of the grant', async () => {
    const { grant, refreshToken } = await createGrant('jane', 'walker', once, newContext());
    expect(grant).toBe('jane/walker');
    expect(refreshToken).toMatch(/^[\w-]{43,}$/);
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('throws AlreadyExists for a user and a client that have a grant, and keeps its refresh token', async () => {
    const { refreshToken } = await createGrant('jane', 'walker', once, newContext());
    await expect(createGrant('jane', 'walker', once, newContext())).rejects.toThrow(AlreadyExists);
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('replaces the refresh token with `replace`, so that the old one stops working', async () => {
    const old = await createGrant('jane', 'walker', once, newContext());
    const fresh = await createGrant('jane', 'walker', again, newContext());
    expect(fresh.grant).toBe(old.grant);
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('creates a grant with `replace` if none exists', async () => {
    const { refreshToken } = await createGrant('jane', 'walker', again, newContext());
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('succeeds for exactly one of several concurrent calls', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => createGrant('jane', 'walker', once, newContext())),
    );
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(won).toHaveLength(1);
    for (const reason of lost) expect(reason).toBeInstanceOf(AlreadyExists);
    expect(await isAccepted(won[0]?.refreshToken ?? '')).toBe(true);
  });

  test('leaves exactly one working refresh token after concurrent replacements', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => createGrant('jane', 'walker', again, newContext())),
    );
    const accepted = await Promise.all(made.map(({ refreshToken }) => isAccepted(refreshToken)));
    expect(accepted.filter(Boolean)).toHaveLength(1);
  });

  test('returns the refresh token even if the response and the token of the write are lost', async () => {
    plan('TransactWriteItems', 'response and token lost');
    const { refreshToken } = await createGrant('jane', 'walker', once, newContext());
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('creates a revoked grant again', async () => {
    const old = await createGrant('jane', 'walker', once, newContext());
    await revokeGrant(old.grant, newContext());
    const fresh = await createGrant('jane', 'walker', once, newContext());
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('ignores a grant of an earlier incarnation of the user', async () => {
    const old = await createGrant('jane', 'walker', once, newContext());
    await revokeUser('jane', newContext());
    await createUser('jane', once, newContext());
    const fresh = await createGrant('jane', 'walker', once, newContext());
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('ignores a grant of an earlier incarnation of the client', async () => {
    const old = await createGrant('jane', 'walker', once, newContext());
    await revokeClient('walker', newContext());
    clientSecret = await createClient('walker', once, newContext());
    const fresh = await createGrant('jane', 'walker', once, newContext());
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('throws AlreadyExists even if the user has a new password and the client a new secret', async () => {
    await createGrant('jane', 'walker', once, newContext());
    await createUser('jane', again, newContext());
    await createClient('walker', again, newContext());
    await expect(createGrant('jane', 'walker', once, newContext())).rejects.toThrow(AlreadyExists);
  });

  test.each([
    ['user', 'unknown', 'walker'],
    ['client', 'jane', 'unknown'],
  ])('throws NotFound for an unknown %s', async (_, user, client) => {
    await expect(createGrant(user, client, again, newContext())).rejects.toThrow(NotFound);
  });

  test('distinguishes two users of one client', async () => {
    await createUser('jane.walker', again, newContext());
    await createGrant('jane', 'walker', once, newContext());
    const { refreshToken } = await createGrant('jane.walker', 'walker', once, newContext());
    expect(await isAccepted(refreshToken)).toBe(true);
  });
});

describe('createGrant with `replace`', () => {
  test('makes only one write', async () => {
    await createGrant('jane', 'walker', once, newContext());
    reset();
    await createGrant('jane', 'walker', again, newContext());
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
  });

  test.each([
    ['before', 'dies', true],
    ['after', 'dies after', false],
  ] as const)(
    'keeps one working refresh token if the process dies %s the write',
    async (_, fault, keepsOld) => {
      const { refreshToken } = await createGrant('jane', 'walker', once, newContext());
      const process = new Process();
      process.plan('TransactWriteItems', fault);
      await process.run(() => createGrant('jane', 'walker', again, newContext()));
      expect(process.faults).toBe(1);
      expect(await isAccepted(refreshToken)).toBe(keepsOld);
      const fresh = await createGrant('jane', 'walker', again, newContext());
      expect([await isAccepted(refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
    },
  );

  test('returns the refresh token that works if the response of the write is lost', async () => {
    plan('TransactWriteItems', 'response lost');
    const { refreshToken } = await createGrant('jane', 'walker', once, newContext());
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('returns a refresh token of the current user if another operator creates the user again in the meantime', async () => {
    plan('TransactWriteItems', async () => {
      await revokeUser('jane', newContext());
      await createUser('jane', once, newContext());
    });
    const { refreshToken } = await createGrant('jane', 'walker', once, newContext());
    expect(await isAccepted(refreshToken)).toBe(true);
  });
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
    expect(await isAccepted('x'.repeat(43) + Buffer.from(name).toString('base64url'))).toBe(false);
  });
});

describe('rotateRefreshToken', () => {
  test('ends the former refresh token and returns one that works', async () => {
    const old = await createGrant('jane', 'walker', once, newContext());
    const fresh = await rotateRefreshToken('jane', 'walker', newContext());
    expect(await isAccepted(old.refreshToken)).toBe(false);
    expect(await isAccepted(fresh.refreshToken)).toBe(true);
  });

  test('returns the refresh token that works if the response of the write is lost', async () => {
    await createGrant('jane', 'walker', once, newContext());
    plan('TransactWriteItems', 'response lost');
    const { refreshToken } = await rotateRefreshToken('jane', 'walker', newContext());
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('creates no grant', async () => {
    await expect(rotateRefreshToken('jane', 'walker', newContext())).rejects.toThrow(NotFound);
    await expect(readGrant('jane', 'walker', newContext())).rejects.toThrow(NotFound);
  });

  test('does not replace the grant of an earlier incarnation of the user', async () => {
    await createGrant('jane', 'walker', once, newContext());
    await revokeUser('jane', newContext());
    await createUser('jane', once, newContext());
    await expect(rotateRefreshToken('jane', 'walker', newContext())).rejects.toThrow(NotFound);
  });
});

describe('rotatePassword', () => {
  test('ends the former password and keeps the grants of the user', async () => {
    const old = await createUser('jane', again, newContext());
    const { refreshToken } = await createGrant('jane', 'walker', once, newContext());
    const fresh = await rotatePassword('jane', newContext());
    expect(await isPassword('jane', old, newContext())).toBe(false);
    expect(await isPassword('jane', fresh, newContext())).toBe(true);
    expect(await isAccepted(refreshToken)).toBe(true);
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
  });
});

describe('listGrants', () => {
  test('returns each grant without its hash, and whether it is valid', async () => {
    await createGrant('jane', 'walker', once, newContext());
    const listed = { user: 'jane', client: 'walker', created: expect.any(Number) };
    expect(await listGrants(newContext)).toContainEqual({ ...listed, valid: true });
    expect(await readGrant('jane', 'walker', newContext())).toEqual({ ...listed, valid: true });
    await revokeUser('jane', newContext());
    expect(await listGrants(newContext)).toContainEqual({ ...listed, valid: false });
    expect(await readGrant('jane', 'walker', newContext())).toEqual({ ...listed, valid: false });
    await createUser('jane', once, newContext());
    expect(await listGrants(newContext)).toContainEqual({ ...listed, valid: false });
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
    const name = (i: number) => `many-${String(i).padStart(3, '0')}`;
    const filler = 'x'.repeat(300_000);
    const names = Array.from({ length: 5 }, (_, i) => name(i));
    for (const one of names)
      await database.send(
        new PutCommand({
          TableName: process.env.ACCESS_TABLE,
          Item: { pk: `u#${one}`, incarnation: 'past', created: 0, filler },
        }),
      );
    const listed = (await listAccessItems('user', newContext)).map((item) => item.name);
    expect(listed).toEqual(expect.arrayContaining(names));
    for (const one of names) await revokeUser(one, newContext());
  });
});
