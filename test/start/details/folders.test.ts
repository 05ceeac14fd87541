import { cpSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectFiles } from '../../../tools/files.ts';
import { client, restart, run, temporaryDirectory } from '../support.ts';

const project = resolve(import.meta.dirname, '../../..');

/** Contains characters that are special in URLs, in patterns, in regular expressions, in code or in a shell. */
const name = `it's [my] (dogs) {x}, #1 %20&$HOME+\`!;~ü🐕`;
const copy = join(temporaryDirectory(), process.platform === 'win32' ? name : `${name}"`);

describe('In a folder whose name contains special characters', () => {
  beforeAll(() => {
    for (const path of projectFiles()) cpSync(join(project, path), join(copy, path));
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  });

  test('the service starts, and a dog barks', async () => {
    const command = [process.execPath, join(copy, 'bin/start.mjs'), '--quiet', '--no-watch'] as const;
    await restart(join(copy, '.local'), { command, settings: [] });
    expect((await client.post('/v1/dogs/record-sync/barks')).status).toBe(201);
  });

  test('the tests run', async () => {
    const jest = join(copy, 'node_modules/jest/bin/jest.js');
    const parameters = [
      '--rootDir',
      copy,
      '--config',
      join(copy, 'jest.config.js'),
      '--selectProjects',
      'unit',
    ];
    const result = await run(process.execPath, [jest, ...parameters, '--', 'domain/dogs/schedule']);
    expect(result).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Tests: +\d+ passed/m) });
  });
});
