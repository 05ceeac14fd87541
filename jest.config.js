const roots = ['<rootDir>/test'];

/** Tests in this process's modules. The runner uses Node's own module loader, which strips types. */
const inProcess = {
  roots,
  runner: '<rootDir>/test/runner/index.mjs',
  setupFiles: ['<rootDir>/test/runner/isolation.ts'],
  transform: {},
};

/** Tests that run functions in this process, on the synthesized stack. */
const ofFunctions = { ...inProcess, globalSetup: './test/support/prepare.ts' };

/** Tests that share a browser and a service for each worker. Playwright's calls have their own time limits. */
const inBrowser = {
  ...inProcess,
  globalSetup: './test/console/start.ts',
  globalTeardown: './test/console/stop.ts',
};

/** Tests that call a running service, so they need the time limits of Jest's own runner. */
const overHttp = {
  roots,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/runner/strip-types.mjs' },
};

/** True if the run includes the tests in the folders named `details`, which `npm test` leaves out to be fast. */
const isComplete = process.env.TESTS === 'all';

/** Returns the patterns of the test files of a suite. */
const filesOf = (suite) => [
  `<rootDir>/test/${suite}/*.test.ts`,
  ...(isComplete ? [`<rootDir>/test/${suite}/details/*.test.ts`] : []),
];

export default {
  // The start of a service takes several seconds, or longer if the machine is busy. A deployed stack may throttle requests.
  testTimeout: 60_000,
  // Many tests wait most of the time: two cores are for two workers.
  maxWorkers: '100%',
  projects: [
    {
      ...ofFunctions,
      displayName: 'unit',
      // `npm ci` does not install the linters.
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
