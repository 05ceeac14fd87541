import { readDog } from '../dogs/repository.ts';
import type { Call } from '../platform/request-context.ts';
import type { Bark, BarkDocument } from './bark.ts';
import { barkLater } from './create-async.ts';
import { barkNow } from './create-sync.ts';
import type { IdempotencyKey } from './idempotency.ts';

/**
 * What became of a bark: mail was sent and nothing kept, the dog changed, there is a record of it besides, or it was
 * accepted and takes effect later.
 */
export type Outcome =
  | {
      readonly kind: 'sent' | 'counted';
      /** Unix seconds. */
      readonly timestamp: number;
    }
  | { readonly kind: 'recorded'; readonly bark: Bark }
  | { readonly kind: 'accepted'; readonly bark: Bark };

export interface BarkRequest extends BarkDocument {
  /** Whether the client asks for a bark that is handled asynchronously, though the dog would bark at once. */
  readonly later?: boolean;
  /** Whether it is noted among the dog's barks even if it neither counts nor is recorded. */
  readonly noted?: boolean;
  /** By what its repeat is known; without a key each request is a bark of its own. */
  readonly key?: IdempotencyKey | undefined;
}

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
