/** The function threw an error, timed out or exited. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  /** The name of the thrown error, or a type of Lambda such as `Sandbox.Timedout`. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/**
 * Lambda throttled the invocation (429). The function did not run.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors Invoke}
 */
export class TooManyRequestsException extends Error {
  override readonly name = 'TooManyRequestsException';

  constructor() {
    super('Rate Exceeded.');
  }
}

/** The function does not exist (404). */
export class ResourceNotFoundException extends Error {
  override readonly name = 'ResourceNotFoundException';

  constructor(functionArn: string) {
    super(`Function not found: ${functionArn}`);
  }
}
