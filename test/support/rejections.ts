import { runInThisContext } from 'node:vm';

// The `process` object that jest provides does not emit unhandledRejection events.
const realProcess = runInThisContext('process') as NodeJS.Process;

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
