const swc = (parser) => ({
  jsc: {
    target: 'es2024',
    parser,
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
  module: { type: 'es6' },
});

const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.ts$': ['@swc/jest', swc({ syntax: 'typescript' })],
    '\\.tsx$': ['@swc/jest', swc({ syntax: 'typescript', tsx: true })],
  },
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.build', '<rootDir>/.local'],
};

/** The files of `test/start` for `npm test`: the first start, `kill -9`, a purge, least privilege, an operator command, Ctrl-C. */
const coreOfStart = ['crashes', 'first-start', 'least-privilege'].map(
  (name) => `<rootDir>/test/start/${name}.test.ts`,
);

export default {
  globalSetup: './test/support/prepare.ts',
  // A busy machine is no failure.
  testTimeout: 20_000,
  // Many tests wait most of the time: two cores are for two workers.
  maxWorkers: '100%',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/test/{bin,client,web,lambdas,lib,local,openapi,tools}/**/*.test.ts',
        '<rootDir>/test/*.test.ts',
      ],
    },
    {
      ...common,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/*.test.ts'],
    },
    {
      ...common,
      displayName: 'start',
      testMatch: coreOfStart,
      globalSetup: './test/support/prepare-services.ts',
    },
    {
      ...common,
      displayName: 'start-more',
      testMatch: ['<rootDir>/test/start/*.test.ts'],
      testPathIgnorePatterns: coreOfStart,
      globalSetup: './test/support/prepare-services.ts',
    },
    {
      ...common,
      displayName: 'console',
      testMatch: ['<rootDir>/test/console/*.test.ts'],
      globalSetup: './test/console/find-browser.ts',
    },
    {
      ...common,
      displayName: 'blackbox',
      testMatch: ['<rootDir>/test/blackbox/*.test.ts'],
      globalSetup: './test/support/start-service.ts',
      globalTeardown: './test/support/stop-service.ts',
    },
  ],
};
