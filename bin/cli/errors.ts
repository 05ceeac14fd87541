/** Thrown when a command fails for a reason that its user can correct. The message is printed without a stack trace. */
export class CommandFailed extends Error {}

/** Thrown when the command line is incorrect. The exit code is 2. */
export class UsageError extends CommandFailed {}

export function notResponding(cause?: unknown): CommandFailed {
  return new CommandFailed('The service on this machine does not respond. Start it with npm start.', {
    cause,
  });
}
