import type * as v from 'valibot';
import type { Bark, DogView } from '../domain/barks/bark.ts';
import type { Dog } from '../domain/dogs/dog.ts';
import { suspensionsOf } from '../domain/suspensions/suspension.ts';
import type { BarkResource, DogDocument, DogFields, SettledBarkResource } from './schemas.ts';

/** Returns the fields that the representation of a dog and its entry in the list of dogs have in common. */
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

/** Returns the representation of a dog. */
export function dogDocument(shown: DogView): v.InferOutput<typeof DogDocument> {
  const { dog, previous, barking, next, frequency } = shown;
  const coming = {
    ...(next !== null && { next }),
    ...(frequency !== null && { frequency }),
  };
  const barks = previous.length > 0 || next !== null ? { barks: { previous, ...coming } } : {};
  const suspended = suspensionsOf(dog).map(({ address, reason, since }) => ({ address, reason, since }));
  return { ...dogFields(dog), barking, ...barks, ...(suspended.length > 0 && { suspended }) };
}

/** Returns the representation of a bark. */
export function barkResource(bark: Bark, baseUrl: string): v.InferOutput<typeof BarkResource> {
  const { id, dog, timestamp, status, reason } = bark;
  return { id, dog: dogUrl(baseUrl, dog), timestamp, status, ...(reason !== undefined && { reason }) };
}

/** Returns the representation of a bark that is complete and not recorded, which has no ID. */
export function unrecordedBark(
  dogId: string,
  timestamp: number,
  baseUrl: string,
): v.InferOutput<typeof SettledBarkResource> {
  return { dog: dogUrl(baseUrl, dogId), timestamp, status: 'complete' };
}

/** Returns the URL of a dog, which ends in a slash. */
export function dogUrl(baseUrl: string, dogId: string): string {
  return `${baseUrl}/v1/dogs/${dogId}/`;
}

/** Returns the URL of a bark. */
export function barkUrl(baseUrl: string, { dog, id }: Pick<Bark, 'dog' | 'id'>): string {
  return `${dogUrl(baseUrl, dog)}barks/${id}`;
}

/** Returns the URL of a dog's last bark. It stays the same when the dog barks again. */
export function lastBarkUrl(baseUrl: string, dogId: string): string {
  return `${dogUrl(baseUrl, dogId)}bark`;
}

/**
 * Returns the Link header that points from the last bark to its permanent URL.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8288#section-3 RFC 8288 section 3}
 * @see {@link https://html.spec.whatwg.org/multipage/links.html#link-type-bookmark The link type bookmark}
 */
export function recordLink(baseUrl: string, bark: Pick<Bark, 'dog' | 'id'>): { Link: string } {
  return { Link: `<${barkUrl(baseUrl, bark)}>; rel="bookmark"` };
}
