/** Thrown if a command fails for a reason that the operator can correct. The message is printed without a stack trace. */
export class CommandFailed extends Error {}

/** Thrown if the command line is incorrect. The message is printed without a stack trace, and the exit code is 2. */
export class UsageError extends CommandFailed {}
