import jest from '../../jest.config.js';

const { displayName, testMatch, ...unit } = jest.projects.find((project) => project.displayName === 'unit');

/** The unit tests of the functions, without what prepares all tests: that is done once, before. */
export default {
  ...unit,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/lambdas/**/*.test.ts'],
};
