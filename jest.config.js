import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bypassProxy, removeAwsConfiguration } from '@rest-actions/local-cloud/platform';

// The workers and the processes that tests start inherit the environment.
removeAwsConfiguration();
bypassProxy();
// The functions have these optional variables too.
for (const name of ['CORS_ORIGIN', 'LIMITS']) delete process.env[name];
delete process.env.PUBLISHES_EVENTS; // @extension events

const roots = ['<rootDir>/test'];

/** The runner uses Node's own module loader, which strips types. */
const inProcess = {
  roots,
  runner: '<rootDir>/test/runner/index.mjs',
  setupFiles: ['<rootDir>/test/runner/isolation.ts'],
  transform: {},
};

/** These tests run the synthesized stack's functions in their own process. */
const ofFunctions = { ...inProcess, globalSetup: './test/support/prepare.ts' };

// @extension console {
/** Each worker's tests share a browser and a service. */
const inBrowser = {
  ...inProcess,
  globalSetup: './test/console/start.ts',
  globalTeardown: './test/console/stop.ts',
};
// @extension console }

/** True if the run includes the tests in `details` folders, which `npm test` skips to save time. */
const isComplete = process.env.TESTS === 'all';

/** The path of the project for a regular expression. `RegExp.escape` also escapes characters that Jest then takes for separators. */
const project = import.meta.dirname.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Matches test files. Jest's own patterns, `testMatch`, find no files if the path of the project contains a bracket. */
const matching = (files) => `^${project}/${files}\\.test\\.ts$`;

const filesOf = (suite) => matching(`test/${suite}/${isComplete ? '(details/)?' : ''}[^/]*`);

/** The tests go where the package goes: a project that installs its tarball has none. */
const ofLocalCloud = existsSync(join(import.meta.dirname, 'local/test'))
  ? [
      {
        ...inProcess,
        roots: ['<rootDir>/local/test'],
        displayName: 'local',
        testRegex: matching(`local/test/${isComplete ? '' : '(?!details/)'}.*`),
      },
    ]
  : [];

export default {
  // By default, Jest leaves one core free, but many tests mostly wait.
  maxWorkers: '100%',
  projects: [
    {
      ...ofFunctions,
      displayName: 'unit',
      testRegex: [
        matching('test/(bin|cases|client|examples|web|lambdas|lib|openapi|tools)/.*'),
        matching('test/[^/]*'),
      ],
    },
    ...ofLocalCloud,
    {
      ...ofFunctions,
      displayName: 'faults',
      testRegex: filesOf('faults'),
    },
    {
      ...inProcess,
      displayName: 'start',
      testRegex: filesOf('start'),
      globalSetup: './test/support/prepare-services.ts',
    },
    // @extension console {
    {
      ...inBrowser,
      displayName: 'console',
      testRegex: matching('test/console/[^/]*'),
    },
    // @extension console }
    {
      ...inProcess,
      displayName: 'blackbox',
      testRegex: [matching('test/cases/[^/]*'), filesOf('blackbox')],
      setupFiles: [...inProcess.setupFiles, '<rootDir>/test/blackbox/setup.ts'],
      globalSetup: './test/support/start-service.ts',
      globalTeardown: './test/support/stop-service.ts',
    },
  ],
};
