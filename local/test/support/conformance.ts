import type { AwsCall, Emulator } from '../../endpoint/emulator.ts';

/** A call of an operation, and the members of the response that AWS documents. A refusal has the member `refused`. */
export type Call = readonly [operation: string, input: object, expected?: object | undefined];

/** Sends a call. Returns the response, or the error as an object with `refused`, `message` and `status`. */
export type Send = <Response = Record<string, unknown>>(
  operation: string,
  input: object,
) => Promise<Response>;

/** A call, or another step between calls, such as a change of the clock. */
export type Step = Call | ((send: Send) => unknown);

interface Client {
  send(command: never): Promise<object>;
}

class Whole {
  readonly expected: object;

  constructor(expected: object) {
    this.expected = expected;
  }
}

/** Makes a row of a table require the whole response, instead of some of its members. */
export function exactly(expected: object): Whole {
  return new Whole(expected);
}

export function sender(client: Client, commands: object): Send {
  return async <Response>(operation: string, input: object) => {
    const { [`${operation}Command`]: Command } = commands as Record<string, new (input: object) => never>;
    if (!Command) throw new Error(`The SDK has no operation ${operation}.`);
    return client.send(new Command(input)).then(withoutMetadata, refusalOf) as Promise<Response>;
  };
}

/** Returns the status and the document with which an emulator responds to a call in the AWS JSON protocol. */
export async function callJson(emulator: Emulator, { service, target }: JsonOperation, input: object) {
  const headers = { 'x-amz-target': target };
  const call: Omit<AwsCall, 'body'> = { caller: 'test', service, method: 'POST', path: '/', headers };
  const { status, body } = await emulator({ ...call, body: Buffer.from(JSON.stringify(input)) });
  return { status, ...JSON.parse(String(body)) };
}

interface JsonOperation {
  readonly service: string;
  readonly target: string;
}

/** Turns each entry into a test. @param reference the address of the API reference, to which the name of an operation is added */
export function conformance(
  reference: string,
  open: () => Send | Promise<Send>,
  cases: Readonly<Record<string, readonly Step[]>>,
): void {
  test.each(Object.entries(cases))('%s', async (_, steps) => {
    const send = await open();
    for (const step of steps)
      if (typeof step === 'function') await step(send);
      else await check(send, step, `${reference}API_${step[0]}.html`);
  });
}

async function check(send: Send, [operation, input, expected = {}]: Call, source: string): Promise<void> {
  const response = { source, ...(await send(operation, input)) };
  if (expected instanceof Whole) expect(response).toEqual({ source, ...expected.expected });
  else expect(response).toMatchObject({ source, refused: undefined, ...expected });
}

function withoutMetadata(response: object): object {
  return { refused: undefined, ...response, $metadata: undefined };
}

function refusalOf(error: Error & { readonly $metadata?: { readonly httpStatusCode?: number } }): object {
  const { name: refused, message, $metadata, ...more } = error;
  return { ...more, refused, message, status: $metadata?.httpStatusCode };
}
