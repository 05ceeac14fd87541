/** An error response of Step Functions. The name is the error type in the API. */
export class StepFunctionsError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}
