/** The part of `access.json` that the programs need. */
export interface Access {
  readonly base_url: string;
  readonly username: string;
  readonly password: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
}

/** What a generated client returned for a request: the status, and the parsed body or a part of it. */
type Observation = readonly [status: number | undefined, body: unknown];

export interface Observations {
  readonly created: readonly (number | undefined)[];
  readonly mailed: Observation;
  readonly recorded: Observation;
  readonly counted: Observation;
  readonly accepted: Observation;
  readonly performed: Observation;
  readonly dog: Observation;
  readonly token: Observation;
}
