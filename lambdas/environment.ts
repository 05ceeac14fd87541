/** The environment variables of the functions. The stack sets them, and the functions read them by the same names. */
export interface Environment {
  /** Name of the table of dogs. */
  DOGS_TABLE: string;
  /** Name of the table of barks and of the other items that belong to one dog. */
  BARKS_TABLE: string;
  /** Name of the table of users, clients, grants and public keys. */
  ACCESS_TABLE: string;
  /** The sender address of mail. SES must have verified it. */
  MAIL_SENDER: string;
  /** Name of SES's configuration set, which publishes bounces and complaints. */
  MAIL_CONFIGURATION_SET: string;
  /** ARN of the state machine that runs asynchronous barks. */
  BARK_WORKFLOW_ARN: string;
  /** How long an asynchronous bark can be cancelled before it is performed, in seconds. */
  CANCELLATION_WINDOW_SECONDS: string;
  /** Name of the schedule group of the dogs' schedules. */
  SCHEDULE_GROUP: string;
  /** ARN of the function that EventBridge Scheduler invokes. */
  SCHEDULE_TARGET_ARN: string;
  /** ARN of the role that EventBridge Scheduler assumes. */
  SCHEDULE_ROLE_ARN: string;
  /** ARN of the dead-letter queue of the schedules. */
  SCHEDULE_DLQ_ARN: string;
  /** The issuer and the audience of access tokens: their `iss` and `aud`. */
  TOKEN_ISSUER: string;
  /** ARN of the secret that holds the private keys. */
  SIGNING_KEY_SECRET: string;
  /** The credentials that the service refreshes: a JSON list of `{name, client, credential}`. The last two are ARNs of secrets. */
  CREDENTIALS: string;
  /** The origin whose pages may call from a browser. It is optional. */
  CORS_ORIGIN: string;
  /** The URL where mail can be read on a single machine. It is not set on AWS. */
  INBOX_URL: string;
}

/**
 * Returns the value of an environment variable. It reads the variable at the time of the call, so that a function needs
 * only the variables that it uses. There are no defaults, because they would hide an error of the deployment.
 *
 * @throws Error if the variable is not set or empty
 */
export function environment(name: keyof Environment): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
