/** The part of `access.json` that the programs need, and what they schedule. */
export interface Access {
  readonly base_url: string;
  readonly username: string;
  readonly password: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
  /** The beginning of the IDs of the program's dogs. */
  readonly prefix: string;
  /** The tokens of the schedules that the program sets one after another. */
  readonly tokens: readonly number[];
  /** The time of the first bark of each schedule, in Unix seconds. */
  readonly next: number;
}

/** What a generated client returned for a request: the status, and the parsed body or a part of it. */
type Observation = readonly [status: number | undefined, body: unknown];

export interface Observations {
  readonly token: Observation;
  readonly created: readonly (number | undefined)[];
  /** Only the programs in TypeScript and Python observe barks that are not recorded. */
  readonly mailed?: Observation;
  readonly counted?: Observation;
  /** The bark has no message, so the request has no body. */
  readonly recorded: Observation;
  readonly accepted: Observation;
  readonly performed: Observation;
  /** The status and the bark count. */
  readonly dog: Observation;
  /** The status of the PATCH that sets a schedule. */
  readonly patched: number | undefined;
  readonly scheduled: readonly (number | undefined)[];
}
