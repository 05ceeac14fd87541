import { FunctionError, invoke } from '../../../bin/invoke/invoke.ts';
import { type Dog, documentOf } from '../../support/client.ts';
import { eventFile, type FunctionResult, faultOf, samples } from '../../support/sample-events.ts';
import { client, linesOf, type Result, run, temporaryDirectory, useService } from '../support.ts';

const directory = useService();
process.env.DATA_DIR = directory;

/** Runs the command in the same way as `npm run invoke`. */
function command(parameters: readonly string[], environment: Record<string, string> = {}): Promise<Result> {
  return run(process.execPath, ['bin/invoke.ts', ...parameters], { DATA_DIR: directory, ...environment });
}

/** Returns the response of a function to its sample event, or the error that it throws. */
async function resultOf(name: string, isAsIs: boolean): Promise<FunctionResult> {
  try {
    return { response: await invoke(name, eventFile(name), { isAsIs }) };
  } catch (error) {
    if (error instanceof FunctionError) return { thrown: error.message };
    throw error;
  }
}

test.each(samples('unchanged'))('$name responds to its unchanged sample event: $outcome', async (sample) => {
  expect(faultOf(sample, await resultOf(sample.name, true))).toBeUndefined();
});

test.each(samples('filled'))('$name responds to its sample event: $outcome', async (sample) => {
  expect(faultOf(sample, await resultOf(sample.name, false))).toBeUndefined();
});

test('a filled occurrence makes the dog bark at its time, and a filled bounce suspends the address', async () => {
  const dogs = ['record-sync', 'message-sync'].map((dog) => client.get(`/v1/dogs/${dog}/`));
  const [recording, mailing] = (await Promise.all(dogs)).map((response) => documentOf<Dog>(response));
  expect(recording?.barks?.previous?.at(-1)).toBeGreaterThan(Date.now() / 1_000);
  expect(mailing?.suspended).toHaveLength(1);
});

describe('npm run invoke', () => {
  test('prints the response of a function on this machine, even if AWS_ENDPOINT_URL_LAMBDA names another service', async () => {
    const AWS_ENDPOINT_URL_LAMBDA = 'http://127.0.0.1:9';
    const { code, stdout, stderr } = await command(['GetDog', 'events/GetDog.json'], {
      AWS_ENDPOINT_URL_LAMBDA,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      statusCode: 200,
      body: expect.stringContaining('record-sync'),
    });
    expect(linesOf(stdout)[1]).toBe('  "statusCode": 200,');
  });

  test('exits with 1 and prints the error if the function throws one', async () => {
    const { code, stdout, stderr } = await command(['Authorizer', 'events/Authorizer.json', '--as-is']);
    expect([code, stdout, stderr]).toEqual([1, '', 'Error: Unauthorized\n']);
  });

  test.each([
    [['GetDog', '--loud'], /^Unknown option "--loud"\. .*--help for the usage\.$/],
    [['GetDog', 'README.md'], /^The file README.md is not JSON: /],
  ])('refuses %j with one line', async (parameters, line) => {
    const { code, stdout, stderr } = await command(parameters);
    expect([code, stdout, linesOf(stderr)]).toEqual([2, '', [expect.stringMatching(line)]]);
  });

  test('prints its usage if it has no event file', async () => {
    const { code, stderr } = await command(['GetDog']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('npm run invoke -- <function> <event file>')]);
  });

  test('reports that no service is running', async () => {
    const DATA_DIR = temporaryDirectory();
    const { code, stderr } = await command(['GetDog', 'events/GetDog.json'], { DATA_DIR });
    expect([code, linesOf(stderr)]).toEqual([
      1,
      [expect.stringMatching(/^No service is running on this machine: .* npm start/)],
    ]);
  });
});
