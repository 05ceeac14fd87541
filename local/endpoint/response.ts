/** The response of an AWS service. */
export interface AwsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Returns an error in the form of the AWS JSON protocols. */
export function jsonError(status: number, type: string, message: string): AwsResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/x-amz-json-1.0', 'x-amzn-ErrorType': type },
    body: JSON.stringify({ __type: type, message }),
  };
}
