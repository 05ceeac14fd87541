export interface ReachedLimit {
  readonly name: `${'barks' | 'mails'}Per${'Dog' | 'User'}`;
  readonly limit: number;
}

/** Nothing was changed or sent. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly reached: readonly ReachedLimit[];
  readonly windowSeconds: number;
  /** Until the window ends. */
  readonly secondsLeft: number;

  constructor({
    reached,
    windowSeconds,
    secondsLeft,
  }: Pick<LimitReached, 'reached' | 'windowSeconds' | 'secondsLeft'>) {
    super('A limit on barks or mail is reached.');
    this.reached = reached;
    this.windowSeconds = windowSeconds;
    this.secondsLeft = secondsLeft;
  }
}
