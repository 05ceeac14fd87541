const levels = ['info', 'warn', 'error'] as const;

/** What the functions have logged, by level. */
export type Logs = Readonly<Record<(typeof levels)[number], unknown[]>>;

/** Keeps what the functions log in each test of a file, instead of printing it. */
export function useLogs(): Logs {
  const logs: Logs = { info: [], warn: [], error: [] };
  const { info, warn, error } = console;
  beforeEach(() => {
    for (const level of levels) {
      logs[level].length = 0;
      console[level] = (logged: unknown) => void logs[level].push(logged);
    }
  });
  afterEach(() => void Object.assign(console, { info, warn, error }));
  return logs;
}
