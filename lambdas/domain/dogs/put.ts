import { isDeepStrictEqual } from 'node:util';
import { isEmailAddress } from '../../contract/email-address.ts';
import { writeSingle } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { setSettings } from './change.ts';
import { conditionsFor } from './condition.ts';
import { type Dog, type DogSettings, mailboxOf } from './dog.ts';
import { checkPrecondition, type Precondition, StateMismatch } from './precondition.ts';
import { findDog } from './read.ts';

/**
 * Keeps an existing dog's count, barks and schedule. Does nothing if the dog already has these settings. Safe to call twice.
 *
 * @param invalid the error that is thrown if the settings have an invalid address that the dog does not have already
 * @returns the dog if it is new, otherwise undefined
 * @throws StateMismatch if the dog does not meet the precondition
 */
export async function putDog(
  id: string,
  settings: DogSettings,
  precondition: Precondition,
  context: RequestContext,
  invalid?: Error,
): Promise<Dog | undefined> {
  const change = ulid(context.now);
  // This loop needs no limit, for the same reason as `untilCommitted`.
  for (let latest = seconds(context.now); ; ) {
    const kept = invalid && (await addressesKept(id, settings, invalid, context));
    const conditions = await conditionsFor(id, precondition, context);
    if (kept) conditions.push({ expression: 'settings = :kept', values: { ':kept': kept } });
    const result = await writeSingle(
      setSettings({ id, settings, change, latest }, conditions, context),
      context,
    );
    if ('item' in result) {
      const dog = result.item as unknown as Dog;
      return dog.incarnation === change ? dog : undefined;
    }
    const stored = result.failure.item as unknown as Dog | undefined;
    const isLater = stored !== undefined && stored.lastModified > latest;
    if (!isLater && (!kept || isDeepStrictEqual(stored?.settings, kept))) {
      checkUnchanged(id, stored, settings, precondition);
      return undefined;
    }
    if (isLater) latest = stored.lastModified;
  }
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

/** @throws StateMismatch unless the write failed only because the dog already has the settings */
function checkUnchanged(
  id: string,
  dog: Dog | undefined,
  settings: DogSettings,
  precondition: Precondition,
): void {
  if (!dog) throw new StateMismatch(id);
  checkPrecondition(precondition, dog);
  // DynamoDB does not store members that are undefined.
  const stored: unknown = JSON.parse(JSON.stringify(settings));
  if (!isDeepStrictEqual(dog.settings, stored)) throw new StateMismatch(id);
}
