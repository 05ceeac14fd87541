/** What can go wrong in a way that a caller can act upon: one class a kind. Anything else that is thrown is a defect. */

/** The thing named does not exist, or no longer does. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
  constructor(what: 'dog' | 'bark' | 'user', id: string) {
    super(`There is no ${what} "${id}".`);
  }
}

/** A thing of this name exists already. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
}

/** The dog is not in the state that the caller demanded. Nothing was changed. */
export class PreconditionFailed extends Error {
  override readonly name = 'PreconditionFailed';
}

/** The service asked for does not exist yet. Nothing was changed. */
export class NotImplemented extends Error {
  override readonly name = 'NotImplemented';
}

/** SES will not send this mail, however often it is tried. Nothing was sent. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** A part that is needed is overloaded, out of reach or too slow: the same may work a little later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
