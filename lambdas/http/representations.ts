import * as v from 'valibot';
import type { Bark } from '../domain/bark.ts';
import type { ShownDog } from '../domain/barks.ts';
import { type Dog, effects } from '../domain/dog.ts';

const Timestamp = v.pipe(v.number(), v.integer(), v.description('Unix time in seconds'));

/** What GET of a dog, and the list of dogs, show. */
export const DogFields = v.strictObject({
  id: v.string(),
  email: v.exactOptional(v.string()),
  owner: v.exactOptional(v.string()),
  barkCount: v.pipe(v.number(), v.integer()),
  barkEffects: v.array(v.picklist(effects)),
  barkHandling: v.picklist(['sync', 'async']),
});

export const DogDocument = v.strictObject({
  ...DogFields.entries,
  barking: v.pipe(v.boolean(), v.description('True while an asynchronous bark is pending')),
  barks: v.exactOptional(
    v.strictObject({
      previous: v.pipe(v.array(Timestamp), v.description('The latest 100 barks at most, oldest first')),
      next: v.exactOptional(v.pipe(Timestamp, v.description('When it barks next by its schedule'))),
      frequency: v.exactOptional(
        v.pipe(v.number(), v.integer(), v.description('Minutes from one scheduled bark to the next')),
      ),
    }),
  ),
});

export const DogListDocument = v.strictObject({ dogs: v.array(DogFields) });

export const BarkResource = v.strictObject({
  id: v.string(),
  dog: v.pipe(v.string(), v.url(), v.description('URL of the dog')),
  timestamp: v.pipe(v.nullable(Timestamp), v.description('When it happened; null until then')),
  status: v.picklist(['pending', 'complete', 'failed', 'cancelled']),
  reason: v.exactOptional(v.pipe(v.string(), v.description('Why it failed'))),
});

export const BarkScheduleResource = v.strictObject({
  last: v.pipe(v.nullable(Timestamp), v.description('The latest slot at which it barked by a schedule')),
  next: v.pipe(v.nullable(Timestamp), v.description('The slot at which it barks next')),
});

export const LastBarkResource = v.strictObject({ timestamp: Timestamp });

export const BarkListDocument = v.strictObject({ barks: v.array(BarkResource) });

export function dogFields({ id, settings, barkCount }: Dog): v.InferOutput<typeof DogFields> {
  const { email, owner, barkEffects, barkHandling } = settings;
  return {
    id,
    ...(email !== undefined && { email }),
    ...(owner !== undefined && { owner }),
    barkCount,
    barkEffects,
    barkHandling,
  };
}

export function dogDocument(shown: ShownDog): v.InferOutput<typeof DogDocument> {
  const { dog, previous, barking, next, frequency } = shown;
  const coming = {
    ...(next !== null && { next }),
    ...(frequency !== null && { frequency }),
  };
  const barks = previous.length > 0 || next !== null ? { barks: { previous, ...coming } } : {};
  return { ...dogFields(dog), barking, ...barks };
}

export function barkResource(bark: Bark, baseUrl: string): v.InferOutput<typeof BarkResource> {
  const { id, dog, timestamp, status, reason } = bark;
  return { id, dog: dogUrl(baseUrl, dog), timestamp, status, ...(reason !== undefined && { reason }) };
}

/** The dog's own URL, which ends in a slash. */
export function dogUrl(baseUrl: string, dogId: string): string {
  return `${baseUrl}/v1/dogs/${dogId}/`;
}

export function barkUrl(baseUrl: string, { dog, id }: Pick<Bark, 'dog' | 'id'>): string {
  return `${dogUrl(baseUrl, dog)}barks/${id}`;
}

/** The URL of the last bark, whichever that is. */
export function lastBarkUrl(baseUrl: string, dogId: string): string {
  return `${dogUrl(baseUrl, dogId)}bark`;
}

/** The header that leads from the last bark to the URL that stays its own (RFC 8288, WHATWG HTML `bookmark`). */
export function recordLink(baseUrl: string, bark: Pick<Bark, 'dog' | 'id'>): { Link: string } {
  return { Link: `<${barkUrl(baseUrl, bark)}>; rel="bookmark"` };
}
