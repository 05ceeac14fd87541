import type { Bark, DogView } from '../domain/barks/bark.ts';
import { type Dog, knownSettings } from '../domain/dogs/dog.ts';
import { suspensionsOf } from '../domain/suspensions/suspension.ts';

/** What the list of dogs shows about each dog. */
export function dogFields({ id, settings, barkCount }: Dog) {
  const { barkEffects, barkHandling, ...others } = knownSettings(settings);
  return { id, ...others, barkCount, barkEffects, barkHandling };
}

export function dogDocument(shown: DogView) {
  const { dog, previous, barking, next, frequency } = shown;
  const coming = { ...(next !== null && { next }), ...(frequency !== null && { frequency }) };
  const barks = previous.length > 0 || next !== null ? { barks: { previous, ...coming } } : {};
  const suspended = suspensionsOf(dog).map(({ address, reason, since }) => ({ address, reason, since }));
  return { ...dogFields(dog), barking, ...barks, ...(suspended.length > 0 && { suspended }) };
}

export function barkResource(bark: Bark, baseUrl: string) {
  const { id, dog, timestamp, status, reason } = bark;
  return { id, dog: dogUrl(baseUrl, dog), timestamp, status, ...(reason !== undefined && { reason }) };
}

export function unrecordedBark(dogId: string, timestamp: number, baseUrl: string) {
  return { dog: dogUrl(baseUrl, dogId), timestamp, status: 'complete' };
}

export function dogUrl(baseUrl: string, dogId: string): string {
  return `${baseUrl}/v1/dogs/${dogId}/`;
}

export function barkUrl(baseUrl: string, { dog, id }: Pick<Bark, 'dog' | 'id'>): string {
  return `${dogUrl(baseUrl, dog)}barks/${id}`;
}

export function lastBarkUrl(baseUrl: string, dogId: string): string {
  return `${dogUrl(baseUrl, dogId)}bark`;
}

/** Links the last bark to its permanent URL: https://html.spec.whatwg.org/multipage/links.html#link-type-bookmark */
export function recordLink(baseUrl: string, bark: Pick<Bark, 'dog' | 'id'>): { Link: string } {
  return { Link: `<${barkUrl(baseUrl, bark)}>; rel="bookmark"` };
}
