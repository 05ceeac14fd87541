import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorCli } from '../../../bin/start/operator-cli.ts';

describe('OperatorCli', () => {
  const directory = mkdtempSync(join(tmpdir(), 'operator-cli-'));
  const operator = new OperatorCli(directory);

  afterAll(async () => {
    await operator.stop();
    rmSync(directory, { recursive: true });
  });

  test('rejects with the error of a command that fails', async () => {
    await expect(operator.run(['users', 'list'])).rejects.toThrow(
      `The operator CLI failed: No service is running on this machine: ${join(directory, 'operator.json')} cannot be read.`,
    );
  });

  test('does not act on the stack that the environment names', async () => {
    process.env.DOGS_STACK = 'DogService-prod';
    const other = new OperatorCli(directory);
    try {
      await expect(other.run(['users', 'list'])).rejects.toThrow('No service is running on this machine');
    } finally {
      delete process.env.DOGS_STACK;
      await other.stop();
    }
  });

  test('runs another command after one that failed', async () => {
    await expect(operator.run(['users', 'unknown'])).rejects.toThrow("Unknown command 'unknown'");
  });
});
