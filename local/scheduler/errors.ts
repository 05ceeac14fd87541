/** An error response of EventBridge Scheduler. The name is the error type in the API. */
export class SchedulerError extends Error {
  override readonly name: 'ValidationException' | 'ResourceNotFoundException' | 'ConflictException';

  constructor(name: SchedulerError['name'], message: string) {
    super(message);
    this.name = name;
  }
}

/** @throws SchedulerError ValidationException with the message if the condition is false */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new SchedulerError('ValidationException', message);
}
