/** A command failed for a reason that the operator can change. The message is printed without a stack trace. */
export class CommandFailed extends Error {}

/** The command line is incorrect. The message is printed without a stack trace, and the exit code is 2. */
export class UsageError extends CommandFailed {}
