import { environment } from '../../environment.ts';
import { commit, outdated, type Part, untilCommitted } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import {
  type AccessItem,
  AlreadyExists,
  deleteAccessItem,
  findAccessItem,
  listAccessItems,
  type Requirement,
  readAccessItem,
} from './items.ts';
import { accessKey, grantName } from './keys.ts';
import { hashOf, isSecret, newSecret, secretLength } from './secret.ts';

/** Permission for a client to act on behalf of a user, even while the user is not present. */
export interface Grant extends AccessItem {
  readonly user: string;
  readonly client: string;
  readonly tokenHash: string;
  /** A user or a client that is revoked and created again has none of its earlier grants. */
  readonly userIncarnation: string;
  readonly clientIncarnation: string;
}

/** A secret, followed by the user's name in base64url. */
function newRefreshToken(user: string): string {
  return newSecret() + Buffer.from(user).toString('base64url');
}

/** The argument may be any text. */
function userIn(refreshToken: string): string {
  return Buffer.from(refreshToken.slice(secretLength), 'base64url').toString();
}

/**
 * Returns undefined if the refresh token is unknown or was replaced, or if the grant or its user was revoked. Makes the same
 * reads for every string, so that the response time does not reveal which users exist.
 */
export async function findGrant(
  refreshToken: string,
  client: string,
  context: RequestContext,
): Promise<Grant | undefined> {
  const user = userIn(refreshToken);
  const [grant, { incarnation: userIncarnation } = {}] = await Promise.all([
    findAccessItem<Grant>('grant', grantName(user, client), context),
    findAccessItem('user', user, context),
  ]);
  return isSecret(refreshToken, grant?.tokenHash) && grant?.userIncarnation === userIncarnation
    ? grant
    : undefined;
}

/**
 * With `replace`, a single write replaces the refresh token of an existing grant.
 *
 * @throws NotFound if the user or the client does not exist
 * @throws AlreadyExists if the grant exists, unless `replace` is true
 */
export function createGrant(
  user: string,
  client: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<NewGrant> {
  return writeGrant(user, client, replace ? 'none' : 'absent', context);
}

/** @throws NotFound if the user, the client or the grant does not exist */
export function rotateRefreshToken(user: string, client: string, context: RequestContext): Promise<NewGrant> {
  return writeGrant(user, client, 'present', context);
}

interface NewGrant {
  /** The name by which the operator can revoke the grant. */
  readonly grant: string;
  readonly refreshToken: string;
}

async function writeGrant(
  user: string,
  client: string,
  requirement: Requirement,
  context: RequestContext,
): Promise<NewGrant> {
  const refreshToken = newRefreshToken(user);
  const tokenHash = hashOf(refreshToken);
  await untilCommitted(async () => {
    const [{ incarnation: userIncarnation }, { incarnation: clientIncarnation }] = await Promise.all([
      readAccessItem('user', user, context),
      readAccessItem('client', client, context),
    ]);
    const grant: Grant = {
      incarnation: ulid(context.now),
      created: seconds(context.now),
      user,
      client,
      userIncarnation,
      clientIncarnation,
      tokenHash,
    };
    const refused = await commit(
      {
        grant: putGrant(grant, requirement),
        user: checkIncarnation('user', user, userIncarnation),
        client: checkIncarnation('client', client, clientIncarnation),
      },
      context,
    );
    switch (refused?.by) {
      case undefined:
        return undefined;
      case 'grant':
        throw refused.refusal;
      case 'user':
      case 'client':
        return outdated;
    }
  });
  return { grant: grantName(user, client), refreshToken };
}

/** A grant of an earlier user or client with the same name does not count as existing. */
const grantCondition = {
  absent:
    'attribute_not_exists(pk) OR userIncarnation <> :userIncarnation OR clientIncarnation <> :clientIncarnation',
  present: 'userIncarnation = :userIncarnation AND clientIncarnation = :clientIncarnation',
} as const;

function putGrant(grant: Grant, requirement: Requirement): Part<Error> {
  const { user, client, userIncarnation, clientIncarnation, tokenHash } = grant;
  const name = grantName(user, client);
  const put = {
    TableName: environment('ACCESS_TABLE'),
    Item: { ...accessKey('grant', name), ...grant },
    ...(requirement !== 'none' && {
      ConditionExpression: grantCondition[requirement],
      ExpressionAttributeValues: {
        ':userIncarnation': userIncarnation,
        ':clientIncarnation': clientIncarnation,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }),
  };
  return {
    actions: [{ Put: put }],
    judge: ([failure]) => {
      // This call created the refresh token, so a stored hash of it comes from an earlier attempt whose response was lost.
      if (failure?.item?.tokenHash === tokenHash) return 'written';
      return {
        refusal: requirement === 'present' ? new NotFound('grant', name) : new AlreadyExists('grant', name),
      };
    },
  };
}

function checkIncarnation(type: 'user' | 'client', name: string, incarnation: string): Part<'changed'> {
  const check = {
    TableName: environment('ACCESS_TABLE'),
    Key: accessKey(type, name),
    ConditionExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':incarnation': incarnation },
  };
  return { actions: [{ ConditionCheck: check }], judge: () => ({ refusal: 'changed' }) };
}

/** A grant without its secret. */
export interface GrantView extends Pick<Grant, 'user' | 'client' | 'created'> {
  /** False if the user or the client was revoked after the grant was created. */
  readonly valid: boolean;
}

/**
 * Sorted by name. Scans the whole table three times.
 *
 * @param newContext is called for each request to DynamoDB
 */
export async function listGrants(newContext: () => RequestContext): Promise<GrantView[]> {
  const [users, clients, grants] = await Promise.all([
    listAccessItems('user', newContext),
    listAccessItems('client', newContext),
    listAccessItems<Omit<Grant, 'tokenHash'>>('grant', newContext),
  ]);
  const incarnationOf = (items: readonly { name: string; incarnation: string }[], name: string) =>
    items.find((item) => item.name === name)?.incarnation;
  return grants.map((grant) =>
    viewOf(grant, incarnationOf(users, grant.user), incarnationOf(clients, grant.client)),
  );
}

/** @throws NotFound if the grant does not exist */
export async function readGrant(user: string, client: string, context: RequestContext): Promise<GrantView> {
  const name = grantName(user, client);
  const [userItem, clientItem, grant] = await Promise.all([
    findAccessItem('user', user, context),
    findAccessItem('client', client, context),
    findAccessItem<Grant>('grant', name, context),
  ]);
  if (!grant) throw new NotFound('grant', name);
  return viewOf(grant, userItem?.incarnation, clientItem?.incarnation);
}

function viewOf(
  { user, client, created, userIncarnation, clientIncarnation }: Omit<Grant, 'tokenHash'>,
  currentUser: string | undefined,
  currentClient: string | undefined,
): GrantView {
  const valid = userIncarnation === currentUser && clientIncarnation === currentClient;
  return { user, client, created, valid };
}

/** The refresh token stops working immediately. @throws NotFound if the grant does not exist */
export function revokeGrant(grant: string, context: RequestContext): Promise<void> {
  return deleteAccessItem('grant', grant, context);
}
