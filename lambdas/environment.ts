/** The stack sets these variables. */
export interface Environment {
  DOGS_TABLE: string;
  BARKS_TABLE: string;
  ACCESS_TABLE: string;
  MAIL_SENDER: string;
  MAIL_CONFIGURATION_SET: string;
  /** The service's URL for unsubscribe links, without a trailing slash. */
  BASE_URL: string;
  /** Optional. JSON with `barksPerDog`, `barksPerUser`, `mailsPerDog`, `mailsPerUser` and `limitWindowMinutes`. */
  LIMITS: string;
  BARK_WORKFLOW_ARN: string;
  /** How long clients can cancel an asynchronous bark. */
  CANCELLATION_WINDOW_SECONDS: string;
  SCHEDULE_GROUP: string;
  SCHEDULE_TARGET_ARN: string;
  SCHEDULE_ROLE_ARN: string;
  SCHEDULE_DLQ_ARN: string;
  /** The claims `iss` and `aud` of access tokens. */
  TOKEN_ISSUER: string;
  /** The ARN of the secret that contains the keys that sign access tokens. */
  SIGNING_KEY_SECRET: string;
  /** A JSON list of `{name, client, credential}`; `client` and `credential` are the ARNs of secrets. */
  CREDENTIALS: string;
  /** Optional. The origin whose pages may call the API from a browser, or `*`. */
  CORS_ORIGIN: string;
  // @extension events {
  /** Optional. Non-empty if the stack publishes events. */
  PUBLISHES_EVENTS: string;
  EVENT_BUS: string;
  /** The CloudEvents `source`: the service's base URL. */
  EVENT_SOURCE: string;
  // @extension events }
}

/** Throws if the variable is missing or empty, because a default would hide a deployment error. */
export function environment(name: keyof Environment): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
