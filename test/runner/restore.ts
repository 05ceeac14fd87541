const environment = { ...process.env };

/** Restores the spies and the environment variables that a test file has changed, for the next file of the worker. */
export function restore(): void {
  jest.restoreAllMocks();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}
