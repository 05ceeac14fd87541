/** An error that the user can correct. `npm start` prints its message without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Thrown if another program uses the port, or another service uses the folder. */
export class InUseError extends UserError {
  readonly what: 'port' | 'folder';

  constructor(message: string, what: 'port' | 'folder', options?: ErrorOptions) {
    super(message, options);
    this.what = what;
  }
}
