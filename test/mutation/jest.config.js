import jest from '../../jest.config.js';

const { displayName, testMatch, ...unit } = jest.projects.find((project) => project.displayName === 'unit');

/** Selects the tests, for example `domain/schedules/schedule`. The tests of one file are faster than all tests that run it. */
const { TESTS = '**/*' } = process.env;

/** The unit tests of the functions, without the global setup, because `run.ts` has already run it. */
export default {
  ...unit,
  testTimeout: jest.testTimeout,
  rootDir: '../..',
  testMatch: [`<rootDir>/test/lambdas/${TESTS}.test.ts`],
};
