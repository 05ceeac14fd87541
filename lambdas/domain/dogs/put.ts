import { isDeepStrictEqual } from 'node:util';
import { commit } from '../platform/commit.ts';
import { StateMismatch } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { changeDog } from './change.ts';
import { conditionFor } from './condition.ts';
import type { Dog, DogSettings } from './dog.ts';
import { checkPrecondition, type Precondition } from './precondition.ts';

/**
 * Keeps an existing dog's count, barks and schedule. Does nothing if the dog already has these settings. Safe to call twice.
 *
 * @returns the dog if it is new, otherwise undefined
 * @throws StateMismatch if the dog does not meet the precondition
 */
export async function putDog(
  id: string,
  settings: DogSettings,
  precondition: Precondition,
  context: RequestContext,
): Promise<Dog | undefined> {
  const change = ulid(context.now);
  const condition = await conditionFor(id, precondition, context);
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
      refused: { dog: (stored) => unchanged(id, stored, settings, precondition) },
    },
    context,
  );
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
