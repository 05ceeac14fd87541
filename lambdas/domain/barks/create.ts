import { readDog } from '../dogs/repository.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { barkAsync } from './async/create.ts';
import { barkSync } from './create-sync.ts';
import type { BarkOutcome, BarkRequest } from './request.ts';

/**
 * Makes a dog bark, in the way that is the dog's own.
 *
 * @returns what became of it, now or when it was sent before under its key
 * @throws NotFound if there is no such dog, or if it was deleted meanwhile
 * @throws KeyReused, NotYet, MailRefused, Unavailable
 */
export async function createBark(
  dogId: string,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const dog = await readDog(dogId, context);
  const handle = request.isAsync || dog.settings.barkHandling === 'async' ? barkAsync : barkSync;
  return handle(dog, request, context);
}
