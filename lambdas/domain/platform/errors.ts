export class NotFound extends Error {
  override readonly name = 'NotFound';
  readonly what:
    | 'dog'
    | 'bark'
    | 'bark of the dog'
    | 'schedule of the dog'
    | 'mail subscription'
    | 'user'
    | 'client'
    | 'grant';

  /** @param id the ID of the thing, or of the dog that does not have it */
  constructor(what: NotFound['what'], id: string) {
    super(notFoundMessage(what, id));
    this.what = what;
  }
}

function notFoundMessage(what: NotFound['what'], id: string): string {
  if (what === 'bark of the dog') return `No bark of dog "${id}" has been counted or recorded yet.`;
  if (what === 'schedule of the dog') return `Dog "${id}" has never had a bark schedule.`;
  if (what === 'mail subscription') return 'The link is no longer valid.';
  return `There is no ${what} "${id}".`;
}

export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
  readonly what: 'user' | 'client' | 'grant';

  constructor(what: AlreadyExists['what'], id: string) {
    super(`The ${what} "${id}" already exists.`);
    this.what = what;
  }
}

/** Nothing was changed. */
export class PreconditionFailed extends Error {
  override readonly name = 'PreconditionFailed';
}

export class ModifiedSince extends PreconditionFailed {
  /** In Unix seconds. */
  readonly settingsModified: number;

  constructor(settingsModified: number) {
    super('A client changed the dog after the date of the request.');
    this.settingsModified = settingsModified;
  }
}

/** The date in If-Unmodified-Since is in the future, and the service cannot have returned it. */
export class DateInFuture extends PreconditionFailed {
  /** The service's time, in Unix seconds. */
  readonly now: number;

  constructor(now: number) {
    super('The date of the request is in the future.');
    this.now = now;
  }
}

export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
  constructor() {
    super('The cursor does not come from this list.');
  }
}

export class StateMismatch extends PreconditionFailed {
  readonly dog: string;

  constructor(dog: string) {
    super(`The dog "${dog}" does not meet the precondition.`);
    this.dog = dog;
  }
}

/** Nothing was changed. */
export class InvalidSchedule extends Error {
  override readonly name: string = 'InvalidSchedule';
  readonly field: 'token' | 'next' | 'frequency';

  constructor(field: InvalidSchedule['field'], message: string) {
    super(message);
    this.field = field;
  }
}

export class TokenReused extends InvalidSchedule {
  override readonly name = 'TokenReused';

  constructor() {
    super('token', 'was already used with a different next or frequency; use a new token for a new schedule');
  }
}

/** Nothing was changed. */
export class ScheduleRefused extends Error {
  override readonly name = 'ScheduleRefused';
}

/** The bark is in progress, complete or failed. Nothing was changed. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** Nothing was changed. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
  constructor() {
    super('A different request has already used the same idempotency key.');
  }
}

/** A required item has not been written yet, or another run holds a lease. A later attempt may succeed. */
export class NotYet extends Error {
  override readonly name: string = 'NotYet';
}

/** The bark of a workflow execution is not stored: its request is still in progress, or ended without storing the bark. */
export class NotStored extends NotYet {
  override readonly name = 'NotStored';
}

export class RequestInProgress extends NotYet {
  override readonly name = 'RequestInProgress';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Another invocation is still handling the same request.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A retry would have the same result. Nothing was done. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/** `invalid_client` in {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2} */
export class InvalidClient extends Error {
  override readonly name = 'InvalidClient';
}

/** `unsupported_grant_type` in {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2} */
export class UnsupportedGrantType extends Error {
  override readonly name = 'UnsupportedGrantType';
}

/** `invalid_grant` in {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2} */
export class InvalidGrant extends Error {
  override readonly name = 'InvalidGrant';
}

/** The operator must store the secret again. The message does not quote the secret. */
export class InvalidSecret extends Error {
  override readonly name = 'InvalidSecret';
}

/** A retry would have the same result. Nothing was sent. */
export class MailRefused extends Error {
  override readonly name: string = 'MailRefused';
}

/**
 * An AWS service or a credential's token endpoint is unavailable, or there is no signing key yet. A later attempt may succeed.
 * Every function that calls AWS can throw this error. If the call was a write, it is then unknown whether the write took place.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
}

/** SES throttled the mail or could not be reached. Nothing was sent. A later attempt may succeed. */
export class MailNotSent extends Unavailable {
  override readonly name: string = 'MailNotSent';
}

/** SES sends no mail for this service until the operator acts. */
export class MailUnavailable extends MailNotSent {
  override readonly name = 'MailUnavailable';

  constructor(options?: ErrorOptions) {
    super(
      'The service cannot send mail at the moment. No mail was sent. Send the request again later.',
      options,
    );
  }
}

/** SES may have accepted the mail, so another attempt could send it a second time. */
export class MailUnknown extends Error {
  override readonly name = 'MailUnknown';

  constructor(options?: ErrorOptions) {
    super('The mail may have been sent.', options);
  }
}
