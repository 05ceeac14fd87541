import { untilCommitted } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import type { Grant } from './items.ts';
import { grantName } from './keys.ts';
import {
  deleteAccessItem,
  findAccessItem,
  listAccessItems,
  putGrant,
  type Requirement,
  readAccessItem,
} from './repository.ts';
import { hashOf, isSecret, newSecret, secretLength } from './secret.ts';

/** Returns a new refresh token: a secret, followed by the name of the user in base64url. */
function newRefreshToken(user: string): string {
  return newSecret() + Buffer.from(user).toString('base64url');
}

/** Returns the user name that a refresh token contains. The argument may be any text. */
function userIn(refreshToken: string): string {
  return Buffer.from(refreshToken.slice(secretLength), 'base64url').toString();
}

/**
 * Returns the grant of a client's refresh token. Returns undefined if the refresh token is unknown or was replaced, or if the
 * grant or its user was revoked. Makes the same two reads for every string, so that the response time does not show whether a
 * user exists.
 *
 * @throws Unavailable if DynamoDB is unavailable
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
 * Creates a grant, which permits a client to act on behalf of a user. If `replace` is true, replaces the refresh token of an
 * existing grant. A single write invalidates the old refresh token and stores the new one. A grant that belongs to an earlier
 * incarnation of the user or the client does not count as existing.
 *
 * @returns the refresh token, which the service does not store, and the name by which the operator can revoke the grant
 * @throws NotFound if the user or the client does not exist
 * @throws AlreadyExists if the grant exists, unless `replace` is true
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the grant was written
 */
export function createGrant(
  user: string,
  client: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<NewGrant> {
  return writeGrant(user, client, replace ? 'none' : 'absent', context);
}

/**
 * Replaces the refresh token of an existing grant.
 *
 * @returns the refresh token, which the service does not store, and the name of the grant
 * @throws NotFound if the user, the client or the grant does not exist
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the refresh token was replaced
 */
export function rotateRefreshToken(user: string, client: string, context: RequestContext): Promise<NewGrant> {
  return writeGrant(user, client, 'present', context);
}

interface NewGrant {
  readonly grant: string;
  readonly refreshToken: string;
}

async function writeGrant(
  user: string,
  client: string,
  requirement: Requirement,
  context: RequestContext,
): Promise<NewGrant> {
  const name = grantName(user, client);
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
    return putGrant(grant, requirement, context);
  });
  return { grant: name, refreshToken };
}

/** A grant without its secret. */
export interface GrantView extends Pick<Grant, 'user' | 'client' | 'created'> {
  /** False if the user or the client was revoked after the creation of the grant. */
  readonly valid: boolean;
}

/**
 * Reads all grants, sorted by name. Scans the whole table once for each of the three types of items.
 *
 * @param newContext returns a new context. It is called for each request to DynamoDB
 * @throws Unavailable if DynamoDB is unavailable
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

/**
 * Reads a grant.
 *
 * @throws NotFound if the grant does not exist
 * @throws Unavailable if DynamoDB is unavailable
 */
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

/**
 * Revokes a grant. Clients can no longer exchange its refresh token.
 *
 * @throws NotFound if the grant does not exist
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the grant was revoked
 */
export function revokeGrant(grant: string, context: RequestContext): Promise<void> {
  return deleteAccessItem('grant', grant, context);
}
