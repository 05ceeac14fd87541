import { linesOf, type Result, run, service, temporaryDirectory, useService } from '../support.ts';

const directory = useService();

/** Runs the command in the same way as `npm run invoke`. */
function command(parameters: readonly string[], environment: Record<string, string> = {}): Promise<Result> {
  return run(process.execPath, ['bin/invoke.ts', ...parameters], { DATA_DIR: directory, ...environment });
}

describe('npm run invoke', () => {
  test('prints the response of a function as JSON', async () => {
    const { code, stdout, stderr } = await command(['GetDog', 'events/GetDog.json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      statusCode: 200,
      body: expect.stringContaining('record-sync'),
    });
    expect(linesOf(stdout)[1]).toBe('  "statusCode": 200,');
  });

  test('exits with 1 and prints the error if the function throws one', async () => {
    const { code, stdout, stderr } = await command(['Authorizer', 'events/Authorizer.json']);
    expect([code, stdout, stderr]).toEqual([1, '', 'Error: Unauthorized\n']);
  });

  test('calls the service on this machine, even if AWS_ENDPOINT_URL_LAMBDA names another service', async () => {
    const AWS_ENDPOINT_URL_LAMBDA = 'http://127.0.0.1:9';
    const { code } = await command(['GetDog', 'events/GetDog.json'], { AWS_ENDPOINT_URL_LAMBDA });
    expect(code).toBe(0);
  });

  test('prints its usage if it has no event file', async () => {
    const { code, stderr } = await command(['GetDog']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm run invoke -- <function> <event file>')]);
  });

  test('reports that no service is running', async () => {
    const elsewhere = { DATA_DIR: temporaryDirectory() };
    const never = await command(['GetDog', 'events/GetDog.json'], elsewhere);
    expect([never.code, linesOf(never.stderr)]).toEqual([1, [expect.stringContaining(elsewhere.DATA_DIR)]]);
    await service.stop();
    const { code, stderr } = await command(['GetDog', 'events/GetDog.json']);
    expect([code, linesOf(stderr)]).toEqual([
      1,
      [expect.stringMatching(/^No service is running on this machine: .* npm start/)],
    ]);
  });
});
