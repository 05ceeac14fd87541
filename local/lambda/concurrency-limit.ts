import { TooManyRequestsException } from './errors.ts';

/** The account's quota of concurrent executions, which all functions share. */
export class ConcurrencyLimit {
  private readonly limit: number;
  private running = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Runs an invocation.
   *
   * @returns the result of the invocation
   * @throws TooManyRequestsException if the quota is exhausted
   * @throws the error of the invocation
   */
  async run<Result>(invocation: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limit) throw new TooManyRequestsException();
    this.running += 1;
    try {
      return await invocation();
    } finally {
      this.running -= 1;
    }
  }
}
