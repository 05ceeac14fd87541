import {
  mapSettings,
  type Setting,
  type SettingName,
  settingNames,
  settingOf,
} from '../../../lambdas/contract/dog-settings.ts';
import { readDogView } from '../../../lambdas/domain/barks/queries.ts';
import { deleteDog as deleteInDomain } from '../../../lambdas/domain/dogs/delete.ts';
import { type Dog, type DogSettings, dogId, knownSettings } from '../../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../../lambdas/domain/dogs/put.ts';
import { findDog, listDogs as listPage } from '../../../lambdas/domain/dogs/read.ts';
import { DogPutDocument } from '../../../lambdas/domain/dogs/schema.ts';
import { outdated, untilCommitted } from '../../../lambdas/domain/platform/commit.ts';
import { StateMismatch } from '../../../lambdas/domain/platform/errors.ts';
import { dogDocument, dogFields } from '../../../lambdas/http/representations.ts';
import type { CommandContext, Options, Run } from '../command.ts';
import { CommandFailed, UsageError } from '../errors.ts';
import { flagOf } from '../flag.ts';
import { newContext, parse } from './parameters.ts';

export const listDogs: Run = async (context) =>
  (await collectDogs(context, () => true)).map((dog) => dogFields(dog));

export const getDog: Run = async (_, id: string) => dogDocument(await readDogView(checkId(id), newContext()));

export const createDog: Run = async ({ options }, id: string) => {
  const alreadyExists = `The dog "${id}" already exists. Replace its settings with "npx dogs replace ${id}".`;
  const settings = parseSettings(documentOf(options));
  await putDog(checkId(id), settings, { noneMatch: 'any' }, newContext()).catch((error) => {
    throw error instanceof StateMismatch ? new CommandFailed(alreadyExists) : error;
  });
  return { created: id };
};

export const replaceDog: Run = async ({ options }, id: string) => {
  const settings = parseSettings(documentOf(options));
  const none = mapSettings(() => undefined);
  await changeSettings(id, (stored) => ({ ...stored, ...none, ...settings }));
  return { replaced: id };
};

export const updateDog: Run = async ({ options }, id: string) => {
  const changes = documentOf(options);
  const names = Object.keys(changes) as SettingName[];
  if (names.length === 0)
    throw new UsageError(`Name a setting to change: ${settingNames.map(flagOf).join(', ')}.`);
  for (const name of names)
    if (options[name] === '' && !settingOf(name).isAlwaysSet) changes[name] = undefined;
  await changeSettings(id, (stored) => {
    const settings = parseSettings({ ...knownSettings(stored), ...changes });
    return { ...stored, ...Object.fromEntries(names.map((name) => [name, settings[name]])) };
  });
  return { updated: id };
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

/**
 * Changes the settings of a dog. Reads the dog again if another change comes first.
 *
 * @param change returns the new settings. It keeps those that only another version of the service knows
 */
async function changeSettings(id: string, change: (stored: DogSettings) => DogSettings): Promise<void> {
  await untilCommitted(async () => {
    const context = newContext();
    const dog = await findDog(checkId(id), context);
    if (!dog) throw new CommandFailed(`There is no dog "${id}". Create it with "npx dogs create ${id}".`);
    return putDog(id, change(dog.settings), { match: [dog] }, context).catch((error) => {
      if (error instanceof StateMismatch) return outdated;
      throw error;
    });
  });
}

/** Members of the body of PUT. */
type SettingDocument = Partial<Record<SettingName, unknown>>;

/** Returns the settings that the options name. */
function documentOf(options: Options): SettingDocument {
  const entries = settingNames.flatMap((name) => {
    const text = options[name];
    return text === undefined ? [] : [[name, parsed(settingOf(name), text)]];
  });
  return Object.fromEntries(entries);
}

function parsed({ kind }: Setting, text: string): unknown {
  if (kind === 'list') return text.split(',');
  return kind === 'switch' ? text === 'true' : text;
}

function parseSettings(document: SettingDocument): DogSettings {
  return parse(DogPutDocument, document, flagOf).settings;
}

function checkId(id: string): string {
  if (dogId.test(id)) return id;
  throw new UsageError(
    `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`,
  );
}
