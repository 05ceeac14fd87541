import jest from '../../jest.config.js';

const { displayName, testMatch, ...unit } = jest.projects.find((project) => project.displayName === 'unit');

/** Which of them judge, such as `domain/schedules/schedule`: a file's own tests are faster than all that reach it. */
const { TESTS = '**/*' } = process.env;

/** The unit tests of the functions, without what prepares all tests: that is done once, before. */
export default {
  ...unit,
  testTimeout: jest.testTimeout,
  rootDir: '../..',
  testMatch: [`<rootDir>/test/lambdas/${TESTS}.test.ts`],
};
