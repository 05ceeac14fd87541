import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../environment.ts';
import { type Call, seconds } from './call.ts';
import { database, failedConditions, run } from './database.ts';
import { AlreadyExists, NotFound } from './errors.ts';

/** A user name: RFC 7617 forbids the colon, and what cannot be typed anywhere helps nobody. */
export const userName = /^[A-Za-z0-9._@+-]{1,64}$/;

/** No secret has this hash, so that an unknown user costs the same work as a wrong password. */
const noHash = Buffer.alloc(32);

/** True if there is such a user and this is the password. */
export async function isPassword(name: string, password: string, call: Call): Promise<boolean> {
  if (!userName.test(name)) return false;
  const command = new GetCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: keyOf(name),
    ConsistentRead: true,
  });
  const { Item } = await run((options) => database.send(command, options), call);
  const stored = Item ? Buffer.from(Item.passwordHash as string, 'hex') : noHash;
  return timingSafeEqual(hashOf(password), stored);
}

/**
 * Makes a user, or gives one that exists a new password.
 *
 * @returns the password: 256 random bits in base64url, which are kept nowhere
 * @throws AlreadyExists unless `replace`
 */
export async function createUser(
  name: string,
  { replace }: { replace: boolean },
  call: Call,
): Promise<string> {
  const password = randomBytes(32).toString('base64url');
  const command = new PutCommand({
    TableName: environment('ACCESS_TABLE'),
    Item: { ...keyOf(name), passwordHash: hashOf(password).toString('hex'), created: seconds(call.now) },
    ...(!replace && { ConditionExpression: 'attribute_not_exists(pk)' }),
  });
  await run((options) => database.send(command, options), call).catch((error) => {
    throw failedConditions(error) ? new AlreadyExists(`There is a user "${name}" already.`) : error;
  });
  return password;
}

/**
 * Takes a user's access away, at the latest when the authorizer's cached answers have run out.
 *
 * @throws NotFound
 */
export async function revokeUser(name: string, call: Call): Promise<void> {
  const command = new DeleteCommand({
    TableName: environment('ACCESS_TABLE'),
    Key: keyOf(name),
    ConditionExpression: 'attribute_exists(pk)',
  });
  await run((options) => database.send(command, options), call).catch((error) => {
    throw failedConditions(error) ? new NotFound('user', name) : error;
  });
}

function keyOf(name: string): { pk: string } {
  return { pk: `u#${name}` };
}

/** SHA-256 is enough, and fast enough to be asked for with each request, because passwords are 256 random bits. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
