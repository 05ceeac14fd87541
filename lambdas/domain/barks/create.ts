import { readDog } from '../dogs/repository.ts';
import type { Call } from '../platform/request-context.ts';
import { barkLater } from './create-async.ts';
import { barkNow } from './create-sync.ts';
import type { BarkRequest, Outcome } from './request.ts';

/**
 * Makes a dog bark, in the way that is the dog's own.
 *
 * @returns what became of it, now or when it was sent before under its key
 * @throws NotFound if there is no such dog, or if it was deleted meanwhile
 * @throws KeyReused, NotYet, MailRefused, Unavailable
 */
export async function bark(dogId: string, request: BarkRequest, call: Call): Promise<Outcome> {
  const dog = await readDog(dogId, call);
  const handle = request.later || dog.settings.barkHandling === 'async' ? barkLater : barkNow;
  return handle(dog, request, call);
}
