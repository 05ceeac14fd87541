/** Thrown if a function throws an error, times out or exits. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  /** The name of the thrown error, or one of Lambda's error types, such as `Sandbox.Timedout`. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/**
 * Thrown if Lambda throttles an invocation (429). The function does not run.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors Invoke}
 */
export class TooManyRequestsException extends Error {
  override readonly name = 'TooManyRequestsException';

  constructor() {
    super('Rate Exceeded.');
  }
}

export class ResourceNotFoundException extends Error {
  override readonly name = 'ResourceNotFoundException';

  constructor(functionArn: string) {
    super(`Function not found: ${functionArn}`);
  }
}
