/** Runs the shutdown steps of a program, starting with the step that was added last. */
export class Shutdown {
  private readonly steps: (() => unknown)[] = [];
  private result: Promise<void> | undefined;

  /** Adds a step, which runs before the steps that were added earlier. */
  add(step: () => unknown): void {
    this.steps.push(step);
  }

  /**
   * Runs the steps one after another. Returns the same promise if it is called again.
   *
   * @throws the error of a step. The remaining steps do not run
   */
  run(): Promise<void> {
    this.result ??= this.runSteps();
    return this.result;
  }

  private async runSteps(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) await step();
  }
}
