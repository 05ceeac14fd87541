import '../../support/settings-of-each-kind.ts';

import { flagOf } from '../../../bin/cli/flag.ts';
import { type SettingName, settingNames, settingOf } from '../../../lambdas/contract/dog-settings.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { driver } from '../../cases/in-process.ts';
import { runInProcess } from '../../support/command-line.ts';
import { newContext } from '../../support/context.ts';
import { newDogId } from '../../support/dogs.ts';
import { defaults, expectAll, newDog, useEachSetting, values } from '../../support/each-setting.ts';
import { withRemedy } from '../../support/remedy.ts';

const { base_url: baseUrl, username } = driver.access;

useEachSetting();

const commands = 'bin/cli/commands/dogs.ts';

beforeAll(() => {
  Object.assign(process.env, { DOGS_USER: username, DOGS_PASSWORD: 'correct horse' });
});

/** Runs a command, which fails unless another exit code is expected. @returns what it prints */
async function printedBy(args: readonly string[], exitCode = 0): Promise<string> {
  const { code, stdout, stderr } = await runInProcess([...args, '--url', baseUrl]);
  withRemedy(`See ${commands}, and for the kinds of settings bin/cli/setting-values.ts.`, () =>
    expect({ args, code, stderr }).toEqual({
      args,
      code: exitCode,
      stderr: exitCode === 0 ? '' : expect.any(String),
    }),
  );
  return stdout + stderr;
}

async function cli(...args: string[]): Promise<object> {
  return JSON.parse(await printedBy([...args, '--json']));
}

function optionOf(name: SettingName, value: unknown = values[name]): string {
  return `${flagOf(name)}=${value}`;
}

describe('Each setting of a dog, in the CLI,', () => {
  test('is shown by get and list', async () => {
    const dog = await newDog();
    expectAll(await cli('get', dog), `getDog in ${commands}`);
    const listed = ((await cli('list')) as { id: string }[]).find(({ id }) => id === dog);
    expectAll(listed, `listDogs in ${commands}`);
  });

  test('is shown as text, unless the dog lacks it', async () => {
    const lineOf = (name: SettingName, value: unknown) => `${name}: ${value}`;
    const linesFor = async (id: string) => {
      const lines = (await printedBy(['get', id])).split('\n').map((line) => line.replace(/ +/, ' '));
      return lines.filter((line) => (settingNames as readonly string[]).includes(line.split(':')[0] ?? ''));
    };
    const id = newDogId();
    await cli('create', id);
    const always = settingNames.filter((name) => name in defaults);
    const [all, few] = [await linesFor(await newDog()), await linesFor(id)];
    withRemedy('See asText in bin/cli/output.ts.', () => {
      expect(all.sort()).toEqual(settingNames.map((name) => lineOf(name, values[name])).sort());
      expect(few.sort()).toEqual(always.map((name) => lineOf(name, defaults[name])).sort());
    });
  });

  test.each(['create', 'replace', 'update'])('is set by %s', async (command) => {
    const id = newDogId();
    if (command !== 'create') await cli('create', id);
    await cli(command, id, ...settingNames.map((name) => optionOf(name)));
    expectAll((await readDog(id, newContext())).settings, commands);
  });

  test('is changed by update alone, and kept by the updates of the others', async () => {
    const id = newDogId();
    await cli('create', id);
    const expected: Record<string, unknown> = { ...(await readDog(id, newContext())).settings };
    const expectChanged = async (name: SettingName, text: unknown, value: unknown) => {
      await cli('update', id, optionOf(name, text));
      if (value === undefined) delete expected[name];
      else expected[name] = value;
      const { settings } = await readDog(id, newContext());
      withRemedy(`See the kind of ${name} in bin/cli/setting-values.ts.`, () =>
        expect(settings).toEqual(expected),
      );
    };
    for (const name of settingNames) await expectChanged(name, values[name], values[name]);
    const always = settingNames.filter((name) => name in defaults);
    for (const name of always) await expectChanged(name, defaults[name], defaults[name]);
    for (const name of settingNames.filter((one) => !settingOf(one).isAlwaysSet)) {
      await expectChanged(name, values[name], values[name]);
      await expectChanged(name, '', defaults[name]);
    }
  });

  test.each(['create', 'replace'])(
    'is not set to an empty value by %s, which sets only what it names',
    async (command) => {
      for (const name of settingNames) {
        const id = newDogId();
        if (command === 'replace') await cli('create', id);
        expect(await printedBy([command, id, optionOf(name, '')], 2)).toMatch(
          RegExp(`/${name}|${flagOf(name)}`),
        );
      }
    },
  );
});
