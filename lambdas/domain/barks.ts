import {
  GetCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import * as v from 'valibot';
import { environment } from '../environment.ts';
import { type Call, seconds } from './call.ts';
import { database, failedConditions, moveLastModified, run } from './database.ts';
import { type Dog, isCounted, isRecorded, recipientsOf } from './dog.ts';
import { readDog } from './dogs.ts';
import { NotFound, NotImplemented } from './errors.ts';
import { sendMail } from './mail.ts';

/** The document that a bark may be asked for with. */
export const BarkDocument = v.strictObject(
  {
    message: v.optional(
      v.pipe(
        v.string('must be a string'),
        v.check((text) => text.length > 0 && [...text].length <= 1000, 'must have 1 to 1000 characters'),
      ),
    ),
  },
  'must be a JSON object',
);
export type BarkDocument = v.InferOutput<typeof BarkDocument>;

/** A bark that is a resource. */
export interface Bark {
  readonly id: string;
  /** The id of the dog that barked. */
  readonly dog: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly status: 'complete';
}

/** What became of a bark: mail was sent and nothing kept, the dog changed, or there is a record of it besides. */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'counted' }
  | { readonly kind: 'recorded'; readonly bark: Bark };

/** How many past barks a dog shows. */
const previousAtMost = 100;

/** An item of the table of barks: a bark that happened and is noted. */
interface BarkItem {
  readonly dog: string;
  /** `b#` and a ULID, whose time is the bark's. */
  readonly sk: string;
  /** The life of the dog that barked. */
  readonly life: string;
  readonly timestamp: number;
  /** True for a bark that GET shows as a resource; absent for one that only counts. */
  readonly resource?: true;
}

/**
 * Makes a dog bark, here and now.
 *
 * Mail goes out before anything is kept, so that a mail that cannot be sent leaves no trace. Count and record are one
 * transaction. If the process dies between the two, the mail was sent and nothing was counted, and the client, who got
 * no answer, knows that it may be so.
 *
 *     GetItem dog ──── SendEmail ──── TransactWriteItems (bark, count) ──── answer
 *                  ↑              ↑
 *             nothing done     mail sent, nothing counted
 *
 * @throws NotFound if there is no such dog, or if it was deleted meanwhile
 * @throws MailRefused, Unavailable
 */
export async function bark(dogId: string, { message }: BarkDocument, call: Call): Promise<Outcome> {
  const dog = await readDog(dogId, call);
  const { settings } = dog;
  if (settings.barkHandling === 'async')
    throw new NotImplemented(
      'This dog takes its time to bark, which this version of the service cannot do yet.',
    );
  const recipients = recipientsOf(settings);
  if (recipients.length > 0) await sendMail({ dogId, recipients, message, at: call.now }, call);
  if (!isCounted(settings)) return { kind: 'sent' };
  const item = await note(dog, call);
  return isRecorded(settings) ? { kind: 'recorded', bark: barkOf(item) } : { kind: 'counted' };
}

async function note(dog: Dog, call: Call): Promise<BarkItem> {
  const item: BarkItem = {
    dog: dog.id,
    sk: `b#${ulid(call.now)}`,
    life: dog.life,
    timestamp: seconds(call.now),
    ...(isRecorded(dog.settings) && { resource: true }),
  };
  const write = (lastModified: number) => {
    const command = new TransactWriteCommand({
      // One token for all tries of this write: a try that took place although its answer was lost counts once.
      ClientRequestToken: crypto.randomUUID(),
      TransactItems: [
        {
          Put: {
            TableName: environment('BARKS_TABLE'),
            Item: item,
            ConditionExpression: 'attribute_not_exists(sk)',
          },
        },
        {
          Update: {
            TableName: environment('DOGS_TABLE'),
            Key: { id: dog.id },
            UpdateExpression: 'SET lastModified = :lastModified ADD barkCount :one, version :one',
            ConditionExpression: 'life = :life AND lastModified <= :lastModified',
            ExpressionAttributeValues: { ':life': dog.life, ':lastModified': lastModified, ':one': 1 },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
      ],
    });
    return run((options) => database.send(command, options), call);
  };
  await moveLastModified(write, call).catch((error) => {
    throw failedConditions(error)?.[1] ? new NotFound('dog', dog.id) : error;
  });
  return item;
}

/** A dog with the times of its latest barks in Unix seconds, oldest first; one round trip. @throws NotFound */
export async function readDogWithBarks(id: string, call: Call): Promise<{ dog: Dog; previous: number[] }> {
  const [dog, { Items = [] }] = await Promise.all([
    readDog(id, call),
    queryBarks({ dog: id, limit: previousAtMost }, call),
  ]);
  const previous = (Items as BarkItem[])
    .filter(({ life }) => life === dog.life)
    .map(({ timestamp }) => timestamp);
  return { dog, previous: previous.reverse() };
}

/** @throws NotFound if there is no such dog, or no such bark of it that is a resource */
export async function readBark(dogId: string, barkId: string, call: Call): Promise<Bark> {
  const [dog, item] = await Promise.all([readDog(dogId, call), findBark(dogId, barkId, call)]);
  if (!item?.resource || item.life !== dog.life) throw new NotFound('bark', barkId);
  return barkOf(item);
}

async function findBark(dogId: string, barkId: string, call: Call): Promise<BarkItem | undefined> {
  const sk = sortKeyOf(barkId);
  if (sk === undefined) return undefined;
  const command = new GetCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog: dogId, sk },
    ConsistentRead: true,
  });
  const { Item } = await run((options) => database.send(command, options), call);
  return Item as BarkItem | undefined;
}

/**
 * A page of the recorded barks of a dog, newest first; `next` is the bark id after which the following page begins.
 * A page may be short, even empty, and yet not the last.
 *
 * @throws NotFound
 */
export async function listBarks(
  dogId: string,
  page: { readonly limit: number; readonly after?: string | undefined },
  call: Call,
): Promise<{ barks: Bark[]; next?: string }> {
  const [dog, { Items = [], LastEvaluatedKey }] = await Promise.all([
    readDog(dogId, call),
    queryBarks({ dog: dogId, ...page }, call),
  ]);
  const barks = (Items as BarkItem[])
    .filter(({ life, resource }) => life === dog.life && resource)
    .map(barkOf);
  return { barks, ...(LastEvaluatedKey && { next: barkIdOf(LastEvaluatedKey.sk as string) }) };
}

function queryBarks(
  query: { dog: string; limit: number; after?: string | undefined },
  call: Call,
): Promise<QueryCommandOutput> {
  const after = query.after === undefined ? undefined : sortKeyOf(query.after);
  const command = new QueryCommand({
    TableName: environment('BARKS_TABLE'),
    KeyConditionExpression: 'dog = :dog AND begins_with(sk, :bark)',
    ExpressionAttributeValues: { ':dog': query.dog, ':bark': 'b#' },
    ScanIndexForward: false,
    Limit: query.limit,
    ConsistentRead: true,
    ...(after !== undefined && { ExclusiveStartKey: { dog: query.dog, sk: after } }),
  });
  return run((options) => database.send(command, options), call);
}

/** The id of a bark that happened at once: `s` and its ULID. */
export const barkId = /^s[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

function barkIdOf(sortKey: string): string {
  return sortKey.replace('b#', 's');
}

function sortKeyOf(id: string): string | undefined {
  return barkId.test(id) ? id.replace('s', 'b#') : undefined;
}

function barkOf({ dog, sk, timestamp }: BarkItem): Bark {
  return { id: barkIdOf(sk), dog, timestamp, status: 'complete' };
}
