/** The environment variables of the functions. The stack sets them, and the functions read them by the same names. */
export interface Environment {
  /** The name of the table of dogs. */
  DOGS_TABLE: string;
  /** The name of the table of barks and of the other items that belong to a dog. */
  BARKS_TABLE: string;
  /** The name of the table of users, clients, grants and public keys. */
  ACCESS_TABLE: string;
  /** The sender address of all mail. SES must have verified it. */
  MAIL_SENDER: string;
  /** The name of the SES configuration set that publishes bounces and complaints. */
  MAIL_CONFIGURATION_SET: string;
  /** The URL of the service in unsubscribe links, without a trailing slash. This variable is optional. */
  BASE_URL: string;
  /**
   * The limits of barks and mails: a JSON object with the settings `barksPerDog`, `barksPerUser`, `mailsPerDog`, `mailsPerUser` and
   * `limitWindowMinutes`. This variable is optional. Without it, there are no limits.
   */
  LIMITS: string;
  /** The ARN of the state machine that runs asynchronous barks. */
  BARK_WORKFLOW_ARN: string;
  /** How long clients can cancel an asynchronous bark before the service performs it, in seconds. */
  CANCELLATION_WINDOW_SECONDS: string;
  /** The name of the schedule group that contains the dogs' schedules. */
  SCHEDULE_GROUP: string;
  /** The ARN of the function that EventBridge Scheduler invokes. */
  SCHEDULE_TARGET_ARN: string;
  /** The ARN of the role that EventBridge Scheduler assumes. */
  SCHEDULE_ROLE_ARN: string;
  /** The ARN of the dead-letter queue of the schedules. */
  SCHEDULE_DLQ_ARN: string;
  /** The value of the claims `iss` and `aud` of access tokens: the issuer, which is also the audience. */
  TOKEN_ISSUER: string;
  /** The ARN of the secret that contains the private keys for access tokens. */
  SIGNING_KEY_SECRET: string;
  /**
   * The credentials that the service refreshes: a JSON list of `{name, client, credential}`, in which `client` and `credential`
   * are the ARNs of secrets.
   */
  CREDENTIALS: string;
  /** The origin whose pages may call the API from a browser. This variable is optional. */
  CORS_ORIGIN: string;
  /** Any text if the stack publishes events. This variable is optional. */
  PUBLISHES_EVENTS: string;
  /** The name of the event bus. */
  EVENT_BUS: string;
  /** The `source` of all events: the base URL of the service. */
  EVENT_SOURCE: string;
}

/**
 * Returns the value of an environment variable. Reads the variable at the time of the call, so that a function needs only the
 * variables that it uses. There are no defaults, because they would hide deployment errors.
 *
 * @throws Error if the variable is not set or is empty
 */
export function environment(name: keyof Environment): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
