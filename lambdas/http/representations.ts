import type * as v from 'valibot';
import type { Bark } from '../domain/barks/bark.ts';
import type { DogView } from '../domain/barks/queries.ts';
import type { Dog } from '../domain/dogs/dog.ts';
import type { BarkResource, DogDocument, DogFields } from './schemas.ts';

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

export function dogDocument(shown: DogView): v.InferOutput<typeof DogDocument> {
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
