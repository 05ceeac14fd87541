import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dogId } from '../../contract/dog-id.ts';
import { usagePrefix } from '../limits/keys.ts';
import { type Check, InvalidEvent, isUlid, matches, validEvent } from '../platform/event.ts';

type Item = Readonly<Record<string, unknown>>;

export interface ItemChange {
  /** Identifies the record in the response to Lambda. */
  readonly sequenceNumber: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly isExpiry: boolean;
}

interface StreamRecord {
  readonly dynamodb: {
    readonly SequenceNumber: string;
    readonly ApproximateCreationDateTime: number;
    readonly OldImage?: object;
    readonly NewImage?: object;
  };
  readonly userIdentity?: { readonly type?: string; readonly principalId?: string };
}

/** @throws InvalidEvent if there are no records, or if one is not a change to an item of the dogs table or the barks table */
export function itemChangesOf(event: unknown): ItemChange[] {
  const { Records } = validEvent<{ Records: unknown[] }>(event, {
    Records: (records) => Array.isArray(records) && records.length > 0,
  });
  return Records.map(itemChangeOf);
}

function itemChangeOf(record: unknown): ItemChange {
  const { dynamodb, userIdentity } = validEvent<Pick<StreamRecord, 'dynamodb'>>(record, {
    dynamodb: isObject,
  }) as StreamRecord;
  const { SequenceNumber, ApproximateCreationDateTime, OldImage, NewImage } = validEvent<
    StreamRecord['dynamodb']
  >(dynamodb, {
    SequenceNumber: matches(/^\d{1,40}$/),
    ApproximateCreationDateTime: isTime,
    OldImage: isObjectOrAbsent,
    NewImage: (image) => isObjectOrAbsent(image) && (image !== undefined || dynamodb.OldImage !== undefined),
  });
  return {
    sequenceNumber: SequenceNumber,
    at: ApproximateCreationDateTime * 1000,
    before: OldImage && itemOf(OldImage),
    after: NewImage && itemOf(NewImage),
    isExpiry: userIdentity?.type === 'Service' && userIdentity.principalId === 'dynamodb.amazonaws.com',
  };
}

type BarkItem = Record<'dog' | 'sk' | 'incarnation', string> & { readonly timestamp?: number };
type DogItem = Record<'id' | 'incarnation', string> & { readonly settings: object };

function itemOf(image: object): Item {
  const item = unmarshalled(image);
  // A usage item has no incarnation, and a user's usage item belongs to no dog. The event source mapping filters usage items
  // out, but a redrive does not.
  if (typeof item.sk === 'string' && item.sk.startsWith(usagePrefix)) return item;
  if ('sk' in item)
    return validEvent<BarkItem>(item, {
      dog: matches(dogId),
      sk: matches(/^\w#./),
      incarnation: isUlid,
      timestamp: (time) => time === undefined || isTime(time),
    });
  return validEvent<DogItem>(item, {
    id: matches(dogId),
    incarnation: isUlid,
    settings: isObject,
  });
}

function unmarshalled(image: object): Record<string, unknown> {
  try {
    return unmarshall(image as Parameters<typeof unmarshall>[0]);
  } catch (cause) {
    throw new InvalidEvent('The event contains an image that is not an item.', { cause });
  }
}

const isObject: Check = (value) => typeof value === 'object' && value !== null;

const isObjectOrAbsent: Check = (value) => value === undefined || isObject(value);

/** The end of the year 9999, in Unix seconds. */
const latest = 253_402_300_799;

const isTime: Check = (value) => typeof value === 'number' && value >= 0 && value <= latest;
