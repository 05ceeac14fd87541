import { runInThisContext } from 'node:vm';

// jest gives tests a process of their own making, which hears of no rejection.
const realProcess = runInThisContext('process') as NodeJS.Process;

/** Counts the rejections that nobody handles while the tests of a file run. */
export function countUnhandledRejections(): () => number {
  let count = 0;
  const listener = () => {
    count += 1;
  };
  beforeAll(() => {
    realProcess.on('unhandledRejection', listener);
  });
  afterAll(() => {
    realProcess.off('unhandledRejection', listener);
  });
  return () => count;
}
