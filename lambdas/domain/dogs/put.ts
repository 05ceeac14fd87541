import { isDeepStrictEqual } from 'node:util';
import { isEmailAddress } from '../../contract/email-address.ts';
import { commit, outdated, untilCommitted } from '../platform/commit.ts';
import { StateMismatch } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { changeDog } from './change.ts';
import { conditionFor } from './condition.ts';
import { type Dog, type DogSettings, mailboxOf } from './dog.ts';
import { checkPrecondition, type Precondition } from './precondition.ts';
import { findDog } from './read.ts';

/**
 * Keeps an existing dog's count, barks and schedule. Does nothing if the dog already has these settings. Safe to call twice.
 *
 * @param invalid the error that is thrown if the settings have an invalid address that the dog does not have already
 * @returns the dog if it is new, otherwise undefined
 * @throws StateMismatch if the dog does not meet the precondition
 */
export function putDog(
  id: string,
  settings: DogSettings,
  precondition: Precondition,
  context: RequestContext,
  invalid?: Error,
): Promise<Dog | undefined> {
  return untilCommitted(async () => {
    const kept = invalid && (await addressesKept(id, settings, invalid, context));
    return write(id, settings, { precondition, kept }, context);
  });
}

/** Returns the stored settings, which have the invalid addresses, and must not change before the write. */
async function addressesKept(
  id: string,
  settings: DogSettings,
  invalid: Error,
  context: RequestContext,
): Promise<DogSettings> {
  const dog = await findDog(id, context);
  const stored = dog ? addressesIn(dog.settings) : [];
  if (!dog || !addressesIn(settings).every((one) => isEmailAddress(one) || stored.includes(one)))
    throw invalid;
  return dog.settings;
}

/** The addresses that must be valid, whether the dog mails them or not. */
function addressesIn({ email, owner, barkEffects }: DogSettings): string[] {
  const addresses = [email, barkEffects.includes('emailOwner') ? mailboxOf(owner) : undefined];
  return addresses.filter((address) => address !== undefined);
}

async function write(
  id: string,
  settings: DogSettings,
  { precondition, kept }: { readonly precondition: Precondition; readonly kept: DogSettings | undefined },
  context: RequestContext,
): Promise<Dog | undefined | typeof outdated> {
  const change = ulid(context.now);
  const { expressions, values } = await conditionFor(id, precondition, context);
  const condition = kept
    ? { expressions: [...expressions, 'settings = :kept'], values: { ...values, ':kept': kept } }
    : { expressions, values };
  const changes = { isClientChange: true, settings: { values: settings, change }, precondition: condition };
  const dog = await commit(
    {
      dog: changeDog(
        id,
        changes,
        {
          isOwn: ({ settingsChange }) => settingsChange === change,
          judge: (stored) => ({ refusal: stored }),
        },
        context,
      ),
    },
    {
      written: (item) => item as unknown as Dog,
      refused: {
        dog: (stored): Dog | typeof outdated =>
          kept && !isDeepStrictEqual(stored?.settings, kept)
            ? outdated
            : unchanged(id, stored, settings, precondition),
      },
    },
    context,
  );
  if (dog === outdated) return outdated;
  return dog.incarnation === change ? dog : undefined;
}

/** Returns the dog if the write failed only because the dog already has the settings, otherwise throws StateMismatch. */
function unchanged(id: string, dog: Dog | undefined, settings: DogSettings, precondition: Precondition): Dog {
  if (!dog) throw new StateMismatch(id);
  checkPrecondition(precondition, dog);
  // DynamoDB does not store members that are undefined.
  const stored: unknown = JSON.parse(JSON.stringify(settings));
  if (!isDeepStrictEqual(dog.settings, stored)) throw new StateMismatch(id);
  return dog;
}
