import { removeAwsConfiguration } from './local/platform/aws-configuration.ts';
import { bypassProxy } from './local/platform/proxy.ts';

// The workers and the processes that tests start inherit the environment.
removeAwsConfiguration();
bypassProxy();

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

/** Each worker's tests share a browser and a service. Playwright has time limits, so these tests do not need Jest's. */
const inBrowser = {
  ...inProcess,
  globalSetup: './test/console/start.ts',
  globalTeardown: './test/console/stop.ts',
};

/** Tests that wait for a running service, so they need the time limits of Jest's own runner. */
const overHttp = {
  roots,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/runner/strip-types.mjs' },
};

/** True if the run includes the tests in `details` folders, which `npm test` skips to save time, and those of the linters. */
const isComplete = process.env.TESTS === 'all';

const filesOf = (suite) => [
  `<rootDir>/test/${suite}/*.test.ts`,
  ...(isComplete ? [`<rootDir>/test/${suite}/details/*.test.ts`] : []),
];

export default {
  // A service takes several seconds to start, or longer if the machine is busy. A deployed stack may throttle requests.
  testTimeout: 60_000,
  // By default, Jest leaves one core free, but many tests mostly wait.
  maxWorkers: '100%',
  projects: [
    {
      ...ofFunctions,
      displayName: 'unit',
      // The linters' tests need packages that `npm ci` does not install.
      roots: isComplete ? [...roots, '<rootDir>/tools/lint'] : roots,
      testMatch: [
        '<rootDir>/test/{bin,cases,client,examples,web,lambdas,lib,openapi,tools}/**/*.test.ts',
        '<rootDir>/test/*.test.ts',
        '<rootDir>/tools/lint/*.test.ts',
      ],
    },
    {
      ...ofFunctions,
      displayName: 'local',
      testMatch: ['<rootDir>/test/local/**/*.test.ts'],
    },
    {
      ...ofFunctions,
      displayName: 'faults',
      testMatch: filesOf('faults'),
    },
    {
      ...overHttp,
      displayName: 'start',
      testMatch: filesOf('start'),
      globalSetup: './test/support/prepare-services.ts',
    },
    {
      ...inBrowser,
      displayName: 'console',
      testMatch: ['<rootDir>/test/console/*.test.ts'],
    },
    {
      ...overHttp,
      displayName: 'blackbox',
      testMatch: ['<rootDir>/test/cases/*.test.ts', ...filesOf('blackbox')],
      globals: { isOverHttp: true },
      globalSetup: './test/support/start-service.ts',
      globalTeardown: './test/support/stop-service.ts',
    },
  ],
};
