export type ErrorName =
  | 'InvalidParameterException'
  | 'InvalidRequestException'
  | 'ResourceExistsException'
  | 'ResourceNotFoundException'
  | 'ValidationException';

/** An error response of Secrets Manager. The name is the error type in the API. */
export class SecretsManagerError extends Error {
  override readonly name: ErrorName;

  constructor(name: ErrorName, message: string) {
    super(message);
    this.name = name;
  }
}

/** @throws SecretsManagerError with this name and message if the condition is false */
export function check(condition: unknown, name: ErrorName, message: string): asserts condition {
  if (!condition) throw new SecretsManagerError(name, message);
}
