/** An error response of an emulated service. `name` is the API's error code. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export function check(condition: unknown, name: string, message: string): asserts condition {
  if (!condition) throw new ServiceError(name, message);
}
