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

/** A required item has not been written yet, or another run holds a lease. A later attempt may succeed. */
export class NotYet extends Error {
  override readonly name: string = 'NotYet';
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

/**
 * An AWS service or a credential's token endpoint is unavailable, or there is no signing key yet. A later attempt may succeed.
 * Every function that calls AWS can throw this error. If the call was a write, it is then unknown whether the write took place.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
