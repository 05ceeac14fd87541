import { readDogView } from '../../../lambdas/domain/barks/queries.ts';
import { deleteDog as deleteInDomain } from '../../../lambdas/domain/dogs/delete.ts';
import { type Dog, type DogSettings, dogId } from '../../../lambdas/domain/dogs/dog.ts';
import type { Precondition } from '../../../lambdas/domain/dogs/precondition.ts';
import { putDog } from '../../../lambdas/domain/dogs/put.ts';
import { listDogs as listPage } from '../../../lambdas/domain/dogs/read.ts';
import { DogPutDocument } from '../../../lambdas/domain/dogs/schema.ts';
import { StateMismatch } from '../../../lambdas/domain/platform/errors.ts';
import { dogDocument, dogFields } from '../../../lambdas/http/representations.ts';
import type { CommandContext, Options, Run } from '../command.ts';
import { CommandFailed, UsageError } from '../errors.ts';
import { newContext, parse } from './parameters.ts';

export const listDogs: Run = async (context) =>
  (await collectDogs(context, () => true)).map((dog) => dogFields(dog));

export const getDog: Run = async (_, id: string) => dogDocument(await readDogView(checkId(id), newContext()));

export const createDog: Run = async ({ options }, id: string) => {
  const alreadyExists = `The dog "${id}" already exists. Replace its settings with "npx dogs replace ${id}".`;
  await put(id, options, { noneMatch: 'any' }, alreadyExists);
  return { created: id };
};

export const replaceDog: Run = async ({ options }, id: string) => {
  const isAbsent = `There is no dog "${id}". Create it with "npx dogs create ${id}".`;
  await put(id, options, { match: 'any' }, isAbsent);
  return { replaced: id };
};

export const deleteDog: Run = async (_, id: string) => {
  await deleteInDomain(checkId(id), {}, newContext());
  return { deleted: id };
};

/** The maximum number of dogs that one request reads. */
const pageSize = 100;

/**
 * Returns the dogs that match, but not more than `--limit` allows. Prints a notice if there are more.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function collectDogs(
  { options, notice }: CommandContext,
  isWanted: (dog: Dog) => boolean,
): Promise<Dog[]> {
  const { limit = 100 } = options;
  const found: Dog[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listPage({ limit: pageSize, after }, newContext());
    found.push(...page.dogs.filter(isWanted));
    if (found.length > limit) break;
    if (page.next === undefined) return found;
    after = page.next;
  }
  notice(`There are more than ${limit}. Show more with --limit.`);
  return found.slice(0, limit);
}

async function put(id: string, options: Options, precondition: Precondition, refusal: string): Promise<void> {
  const settings = settingsOf(options);
  await putDog(checkId(id), settings, precondition, newContext()).catch((error) => {
    throw error instanceof StateMismatch ? new CommandFailed(refusal) : error;
  });
}

function settingsOf({ email, owner, barkEffects, barkHandling }: Options): DogSettings {
  const document = {
    ...(email !== undefined && { email }),
    ...(owner !== undefined && { owner }),
    ...(barkEffects !== undefined && { barkEffects: barkEffects.split(',') }),
    ...(barkHandling !== undefined && { barkHandling }),
  };
  return parse(DogPutDocument, document, flagOf).settings;
}

/** Returns the option that sets a field, such as `--bark-effects` for `barkEffects`. */
function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function checkId(id: string): string {
  if (dogId.test(id)) return id;
  throw new UsageError(
    `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`,
  );
}
