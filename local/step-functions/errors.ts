/** An error of the service. The name is the error type of its API. */
export class StepFunctionsError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}
