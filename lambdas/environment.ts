/** Every variable that a function may be given. The stack sets it and the functions read it by the same name. */
export interface Environment {
  /** Name of the table of dogs. */
  DOGS_TABLE: string;
  /** Name of the table of barks and of all else that belongs to one dog. */
  BARKS_TABLE: string;
  /** Name of the table of those who may call: users, clients, grants, and the public keys. */
  ACCESS_TABLE: string;
  /** The address that mail comes from; SES must have verified it. */
  MAIL_SENDER: string;
  /** Name of SES's configuration set, by which the service hears of mail that came back. */
  MAIL_CONFIGURATION_SET: string;
  /** ARN of the state machine that carries asynchronous barks. */
  BARK_WORKFLOW_ARN: string;
  /** How long an asynchronous bark can be cancelled before it takes effect, in seconds. */
  CANCELLATION_WINDOW_SECONDS: string;
  /** Name of the group that holds the schedules of the dogs. */
  SCHEDULE_GROUP: string;
  /** ARN of the function that the scheduler invokes. */
  SCHEDULE_TARGET_ARN: string;
  /** ARN of the role as which it does so. */
  SCHEDULE_ROLE_ARN: string;
  /** ARN of the queue of what it could not hand over. */
  SCHEDULE_DLQ_ARN: string;
  /** Who issues access tokens, and for whom: their `iss` and `aud`. */
  TOKEN_ISSUER: string;
  /** ARN of the secret that holds the private keys. */
  SIGNING_KEY_SECRET: string;
  /** The credentials that are kept fresh: a JSON list of `{name, client, credential}`, the last two ARNs of secrets. */
  CREDENTIALS: string;
  /** The origin whose pages may call from a browser. It need not be set. */
  CORS_ORIGIN: string;
  /** Where mail can be read, on one machine; on AWS it is not set. */
  INBOX_URL: string;
}

/**
 * The value of a variable, read when it is needed, so that a function needs only those it uses.
 *
 * @throws Error if it is not set: there is no default that would hide a fault of the deployment.
 */
export function environment(name: keyof Environment): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
