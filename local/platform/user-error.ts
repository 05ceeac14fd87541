/** A fault that whoever started the service can mend: it is told in one line, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
