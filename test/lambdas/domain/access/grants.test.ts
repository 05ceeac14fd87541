import {
  authenticatedClient,
  createClient,
  revokeClient,
} from '../../../../lambdas/domain/access/clients.ts';
import { createGrant, revokeGrant } from '../../../../lambdas/domain/access/grants.ts';
import { createUser, isPassword, revokeUser } from '../../../../lambdas/domain/access/users.ts';
import { AlreadyExists, InvalidGrant, NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import { issueToken } from '../../../../lambdas/domain/tokens/issue.ts';
import { ensureKey } from '../../../../lambdas/domain/tokens/signing-keys.ts';
import { useDatabase } from '../../../support/database.ts';
import { calls, injectFaults, Process, plan, reset } from '../../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);

const call = () => ({ now: Date.now(), signal: AbortSignal.timeout(8_000) });
const once = { replace: false };
const again = { replace: true };

let clientSecret: string;

beforeEach(async () => {
  reset();
  await ensureKey(call);
  await createUser('jane', again, call());
  clientSecret = await createClient('walker', again, call());
  await revokeGrant('jane/walker', call()).catch(() => {});
  reset();
});

/** Returns true if the token endpoint accepts a refresh token of the client `walker`. */
async function isAccepted(refreshToken: string, secret = clientSecret): Promise<boolean> {
  const request = { clientId: 'walker', clientSecret: secret, grantType: 'refresh_token', refreshToken };
  return issueToken(request, call()).then(
    () => true,
    (error) => {
      if (error instanceof InvalidGrant) return false;
      throw error;
    },
  );
}

describe('createGrant', () => {
  test('returns a refresh token that has 256 random bits and the name of the grant', async () => {
    const { grant, refreshToken } = await createGrant('jane', 'walker', once, call());
    expect(grant).toBe('jane/walker');
    expect(refreshToken).toMatch(/^[\w-]{43,}$/);
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('throws AlreadyExists for a user and a client that have a grant, and keeps its refresh token', async () => {
    const { refreshToken } = await createGrant('jane', 'walker', once, call());
    await expect(createGrant('jane', 'walker', once, call())).rejects.toThrow(AlreadyExists);
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('replaces the refresh token with `replace`: the old one stops working', async () => {
    const old = await createGrant('jane', 'walker', once, call());
    const fresh = await createGrant('jane', 'walker', again, call());
    expect(fresh.grant).toBe(old.grant);
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('creates a grant with `replace` if there is none', async () => {
    const { refreshToken } = await createGrant('jane', 'walker', again, call());
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('lets exactly one of several concurrent calls win', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => createGrant('jane', 'walker', once, call())),
    );
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(won).toHaveLength(1);
    for (const reason of lost) expect(reason).toBeInstanceOf(AlreadyExists);
    expect(await isAccepted(won[0]?.refreshToken ?? '')).toBe(true);
  });

  test('leaves exactly one working refresh token after concurrent replacements', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => createGrant('jane', 'walker', again, call())),
    );
    const accepted = await Promise.all(made.map(({ refreshToken }) => isAccepted(refreshToken)));
    expect(accepted.filter(Boolean)).toHaveLength(1);
  });

  test('returns the refresh token even if the response and the token of the write are lost', async () => {
    plan('TransactWriteItems', 'answer and token lost');
    const { refreshToken } = await createGrant('jane', 'walker', once, call());
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('creates a revoked grant again', async () => {
    const old = await createGrant('jane', 'walker', once, call());
    await revokeGrant(old.grant, call());
    const fresh = await createGrant('jane', 'walker', once, call());
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('ignores the grant of an earlier incarnation of the user', async () => {
    const old = await createGrant('jane', 'walker', once, call());
    await revokeUser('jane', call());
    await createUser('jane', once, call());
    const fresh = await createGrant('jane', 'walker', once, call());
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('ignores the grant of an earlier incarnation of the client', async () => {
    const old = await createGrant('jane', 'walker', once, call());
    await revokeClient('walker', call());
    clientSecret = await createClient('walker', once, call());
    const fresh = await createGrant('jane', 'walker', once, call());
    expect([await isAccepted(old.refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
  });

  test('counts a grant as existing after the user got a new password and the client a new secret', async () => {
    await createGrant('jane', 'walker', once, call());
    await createUser('jane', again, call());
    await createClient('walker', again, call());
    await expect(createGrant('jane', 'walker', once, call())).rejects.toThrow(AlreadyExists);
  });

  test.each([
    ['user', 'nobody', 'walker'],
    ['client', 'jane', 'nothing'],
  ])('throws NotFound if there is no such %s', async (_, user, client) => {
    await expect(createGrant(user, client, again, call())).rejects.toThrow(NotFound);
  });

  test('does not confuse two users of one client', async () => {
    await createUser('jane.walker', again, call());
    await createGrant('jane', 'walker', once, call());
    const { refreshToken } = await createGrant('jane.walker', 'walker', once, call());
    expect(await isAccepted(refreshToken)).toBe(true);
  });
});

describe('createGrant with `replace`', () => {
  test('makes one write', async () => {
    await createGrant('jane', 'walker', once, call());
    reset();
    await createGrant('jane', 'walker', again, call());
    expect(calls()).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
  });

  test.each([
    ['before', 'dies', true],
    ['after', 'dies after', false],
  ] as const)(
    'keeps one working refresh token if the process dies %s the write',
    async (_, fault, keepsOld) => {
      const { refreshToken } = await createGrant('jane', 'walker', once, call());
      const process = new Process();
      process.plan('TransactWriteItems', fault);
      await process.run(() => createGrant('jane', 'walker', again, call()));
      expect(process.faults).toBe(1);
      expect(await isAccepted(refreshToken)).toBe(keepsOld);
      const fresh = await createGrant('jane', 'walker', again, call());
      expect([await isAccepted(refreshToken), await isAccepted(fresh.refreshToken)]).toEqual([false, true]);
    },
  );

  test('returns the refresh token that works if the response of the write is lost', async () => {
    plan('TransactWriteItems', 'answer lost');
    const { refreshToken } = await createGrant('jane', 'walker', once, call());
    expect(await isAccepted(refreshToken)).toBe(true);
  });

  test('returns a refresh token of the current user if another operator creates the user again meanwhile', async () => {
    plan('TransactWriteItems', async () => {
      await revokeUser('jane', call());
      await createUser('jane', once, call());
    });
    const { refreshToken } = await createGrant('jane', 'walker', once, call());
    expect(await isAccepted(refreshToken)).toBe(true);
  });
});

describe('A name that is longer than a key of DynamoDB, and has many parts', () => {
  const name = Array(1200).fill('a').join('/');

  test('is not the name of a user', async () => {
    expect(await isPassword(name, 'password', call())).toBe(false);
  });

  test('is not the name of a client', async () => {
    expect(await authenticatedClient(name, 'secret', call())).toBeUndefined();
  });

  test('makes a refresh token that the token endpoint refuses', async () => {
    expect(await isAccepted('x'.repeat(43) + Buffer.from(name).toString('base64url'))).toBe(false);
  });
});
