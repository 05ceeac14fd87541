import { environment } from '../../environment.ts';
import { conflictsOf, transact } from '../platform/dynamodb.ts';
import { AlreadyExists } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type AccessItem, accessKey, deleteAccess, findAccess, readAccess } from './repository.ts';
import { hashOf, isSecret, newSecret, secretLength } from './secret.ts';

/** Permission for a client to act for a user, with offline access. A user and a client have at most one grant. */
export interface Grant extends AccessItem {
  readonly user: string;
  readonly client: string;
  readonly tokenHash: string;
  /**
   * The lives of the user and of the client that the grant belongs to. A user or a client that is revoked and created
   * again has another incarnation, and therefore none of the grants of the earlier one.
   */
  readonly userIncarnation: string;
  readonly clientIncarnation: string;
}

function grantName(user: string, client: string): string {
  return `${user}/${client}`;
}

/** Returns a new refresh token: a secret, followed by the name of the user in base64url. */
function newRefreshToken(user: string): string {
  return newSecret() + Buffer.from(user).toString('base64url');
}

/** Returns the name of the user in a refresh token, which may be any text. */
function userIn(refreshToken: string): string {
  return Buffer.from(refreshToken.slice(secretLength), 'base64url').toString();
}

/**
 * Returns the grant that a refresh token of a client belongs to, unless the grant, its user or the refresh token has
 * been revoked or replaced. Every refresh token costs the same two reads, even one that no grant can have.
 *
 * @returns undefined if the refresh token is not valid
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function findGrant(
  refreshToken: string,
  client: string,
  context: RequestContext,
): Promise<Grant | undefined> {
  const user = userIn(refreshToken);
  const [grant, { incarnation: userIncarnation } = {}] = await Promise.all([
    findAccess<Grant>('grant', grantName(user, client), context),
    findAccess('user', user, context),
  ]);
  return isSecret(refreshToken, grant?.tokenHash) && grant?.userIncarnation === userIncarnation
    ? grant
    : undefined;
}

/**
 * Creates a grant, which permits a client to act for a user. With `replace`, replaces the refresh token of a grant that
 * exists: one write ends the old refresh token and makes the new one valid. The grant of an earlier incarnation of the user or
 * of the client does not count as existing.
 *
 * @returns the refresh token, which is stored nowhere, and the name by which the grant is revoked
 * @throws NotFound if there is no such user or client
 * @throws AlreadyExists if there is a grant, unless `replace`
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the grant was written
 */
export async function createGrant(
  user: string,
  client: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<{ grant: string; refreshToken: string }> {
  const TableName = environment('ACCESS_TABLE');
  const grant = grantName(user, client);
  const refreshToken = newRefreshToken(user);
  for (;;) {
    const [{ incarnation: userIncarnation }, { incarnation: clientIncarnation }] = await Promise.all([
      readAccess('user', user, context),
      readAccess('client', client, context),
    ]);
    const incarnationCheck = (kind: 'user' | 'client', name: string, incarnation: string) => ({
      ConditionCheck: {
        TableName,
        Key: accessKey(kind, name),
        ConditionExpression: 'incarnation = :incarnation',
        ExpressionAttributeValues: { ':incarnation': incarnation },
      },
    });
    const Item = {
      ...accessKey('grant', grant),
      incarnation: ulid(context.now),
      created: seconds(context.now),
      user,
      client,
      userIncarnation,
      clientIncarnation,
      tokenHash: hashOf(refreshToken),
    };
    const put = {
      TableName,
      Item,
      ...(!replace && {
        ConditionExpression:
          'attribute_not_exists(pk) OR userIncarnation <> :userIncarnation OR clientIncarnation <> :clientIncarnation',
        ExpressionAttributeValues: {
          ':userIncarnation': userIncarnation,
          ':clientIncarnation': clientIncarnation,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      }),
    };
    try {
      const actions = {
        grant: { Put: put },
        user: incarnationCheck('user', user, userIncarnation),
        client: incarnationCheck('client', client, clientIncarnation),
      };
      await transact(actions, context);
      return { grant, refreshToken };
    } catch (error) {
      const conflicts = conflictsOf<'grant' | 'user' | 'client'>(error);
      if (!conflicts) throw error;
      // The refresh token is this call's own: if its hash is there, a try took place whose response was lost.
      if (conflicts.grant?.item?.tokenHash === Item.tokenHash) return { grant, refreshToken };
      // If only the user or the client has changed meanwhile, the next round reads both again.
      if (conflicts.grant) throw new AlreadyExists('grant', grant);
    }
  }
}

/** The refresh token of the grant yields no token any more. @throws NotFound */
export function revokeGrant(grant: string, context: RequestContext): Promise<void> {
  return deleteAccess('grant', grant, context);
}
