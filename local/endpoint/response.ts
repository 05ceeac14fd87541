/** The response of an AWS service. */
export interface AwsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Returns an error in the form of the AWS JSON protocols. */
export function refusal(status: number, type: string, message: string): AwsAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/x-amz-json-1.0', 'x-amzn-ErrorType': type },
    body: JSON.stringify({ __type: type, message }),
  };
}
