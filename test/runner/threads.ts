/**
 * Returns the number of threads of each project, and so of test files that can run at the same time. With one worker,
 * `jest-light-runner` would run all projects in its own thread, and then fail when it ends the second project.
 */
export function threadsOf(maxWorkers: number): number {
  return Math.max(2, maxWorkers);
}
