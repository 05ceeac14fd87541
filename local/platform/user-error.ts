/** An error that the user can correct. `npm start` prints its message without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
