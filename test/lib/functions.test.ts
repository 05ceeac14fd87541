import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFile } from '../../lib/bundles.ts';
import { functionsOf, sizeBudget } from '../../tools/functions.ts';
import { synthesizedAssembly } from '../support/of-worker.ts';
import { withRemedy } from '../support/remedy.ts';
import { eventsDirectory, samples } from '../support/sample-events.ts';

const { template, directory } = synthesizedAssembly();

const functions = template.ofType('AWS::Lambda::Function').map(({ name, logicalId, properties }) => {
  const [module, exported] = properties.Handler.split('.');
  return { name, logicalId, bundle: join(directory, properties.assetPath), module, exported };
});

/** Returns the URL of the module that Lambda's runtime loads for a handler: the first existing file. */
function moduleOf({ bundle, module }: (typeof functions)[number]): string {
  const extension = ['', '.js', '.mjs', '.cjs'].find((end) => existsSync(join(bundle, module + end)));
  return pathToFileURL(join(bundle, `${module}${extension}`)).href;
}

test('The bundle of each function exports its handler', () => {
  const load = functions
    .map((one) => `typeof (await import(${JSON.stringify(moduleOf(one))}))[${JSON.stringify(one.exported)}]`)
    .join();
  const print = `console.log(JSON.stringify([${load}]))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', print], {
    cwd: tmpdir(),
    env: {},
    encoding: 'utf8',
  });
  expect(functions.length).toBeGreaterThan(20);
  expect(JSON.parse(printed)).toEqual(functions.map(() => 'function'));
});

test.each(functionsOf({ template, directory }))(
  'The code of $name, with the services $services, is within its size budget',
  (measured) => {
    const { size } = statSync(join(measured.directory, bundleFile));
    expect(size).toBeGreaterThan(5_000);
    withRemedy('Import less in the function, or raise the size budget in tools/functions.ts.', () => {
      expect(size).toBeLessThanOrEqual(sizeBudget(measured));
    });
  },
);

test('AWS SAM knows each function by the unique ID of its construct', () => {
  const { Resources } = JSON.parse(readFileSync(join(directory, 'DogService-prod.template.json'), 'utf8'));
  const ids = functions.map(({ logicalId }) => Resources[logicalId].Metadata.SamResourceId);
  expect(ids).toEqual(functions.map(({ name }) => name));
  expect(new Set(ids).size).toBe(ids.length);
});

test('Each function has a sample event, and events/README.md lists each sample event', () => {
  const names = functions.map(({ name }) => name).sort();
  const files = readdirSync(eventsDirectory).filter((file) => file.endsWith('.json'));
  withRemedy(
    'Add events/<name of the function>.json for each new function, and delete those of no function.',
    () => {
      expect(files.sort()).toEqual(names.map((name) => `${name}.json`));
    },
  );
  const listed = samples('unchanged').map(({ name }) => name);
  withRemedy('Give each function a row in the table of events/README.md.', () => {
    expect(listed.sort()).toEqual(names);
  });
});
