/** What can go wrong in a way that a caller can act upon: one class a kind. Anything else that is thrown is a defect. */

/** The thing named does not exist, or no longer does. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
  constructor(
    what: 'dog' | 'bark' | 'bark of the dog' | 'schedule of the dog' | 'user' | 'client' | 'grant',
    id: string,
  ) {
    super(`There is no ${what} "${id}".`);
  }
}

/** A thing of this name exists already. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
  readonly what: 'user' | 'client' | 'grant';

  constructor(what: AlreadyExists['what'], id: string) {
    super(`There is a ${what} "${id}" already.`);
    this.what = what;
  }
}

/** The dog is not in the state that the caller demanded. Nothing was changed. */
export class PreconditionFailed extends Error {
  override readonly name = 'PreconditionFailed';
}

/** A client changed the dog after the date of the request. Nothing was changed. */
export class ModifiedSince extends PreconditionFailed {
  /** When a client last changed the dog, in Unix seconds. */
  readonly settingsModified: number;
  /** The date of the request, in Unix seconds. */
  readonly since: number;

  constructor({ settingsModified, since }: { settingsModified: number; since: number }) {
    super('A client changed the dog after the date of the request.');
    this.settingsModified = settingsModified;
    this.since = since;
  }
}

/** The date of a request is in the future, and the service has not shown it. Nothing was changed. */
export class DateInFuture extends PreconditionFailed {
  /** The date of the request, in Unix seconds. */
  readonly since: number;
  /** The time of the service, in Unix seconds. */
  readonly now: number;

  constructor({ since, now }: { since: number; now: number }) {
    super('The date of the request is in the future.');
    this.since = since;
    this.now = now;
  }
}

/** A list did not return this cursor. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
  constructor() {
    super('This list did not return the cursor.');
  }
}

/** The dog is not in a state that the precondition of the caller allows. Nothing was changed. */
export class StateMismatch extends PreconditionFailed {
  readonly dog: string;

  constructor(dog: string) {
    super(`The dog "${dog}" does not meet the precondition.`);
    this.dog = dog;
  }
}

/** A schedule cannot be as it was asked for. Nothing was changed. */
export class InvalidSchedule extends Error {
  override readonly name = 'InvalidSchedule';
  /** The member that is wrong. */
  readonly field: 'token' | 'next' | 'frequency';

  constructor(field: InvalidSchedule['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/** The scheduler will not have this schedule, however often it is tried. Nothing was changed. */
export class ScheduleRefused extends Error {
  override readonly name = 'ScheduleRefused';
}

/** The bark has taken effect, or has begun to, or has failed: it can be cancelled no more. Nothing was changed. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** Another request has the same idempotency key. Nothing was changed. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
  constructor() {
    super('Another request has the same idempotency key.');
  }
}

/** An item that is needed is not written yet, or another run has claimed it. A later try may succeed. */
export class NotYet extends Error {
  override readonly name: string = 'NotYet';
}

/** Another run handles the request of an idempotency key at the moment. */
export class RequestInProgress extends NotYet {
  override readonly name = 'RequestInProgress';
  /** When a repeat of the request is worthwhile, in seconds from now. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Another run handles the request of this idempotency key.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A function was sent what nothing sends it; the same is refused whenever it comes. Nothing was done. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/** The client that asks for a token is unknown, or its secret is wrong (RFC 6749 section 5.2, `invalid_client`). */
export class InvalidClient extends Error {
  override readonly name = 'InvalidClient';
}

/** Tokens are not issued for this kind of grant (`unsupported_grant_type`). */
export class UnsupportedGrantType extends Error {
  override readonly name = 'UnsupportedGrantType';
}

/** The refresh token yields no token (`invalid_grant`). */
export class InvalidGrant extends Error {
  override readonly name = 'InvalidGrant';
}

/** SES will not send this mail, however often it is tried. Nothing was sent. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** A part that is needed is overloaded, out of reach or too slow: the same may work a little later. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
}

/** SES throttled the mail, or could not be reached. Nothing was sent, and a later try may succeed. */
export class MailNotSent extends Unavailable {
  override readonly name = 'MailNotSent';
}
