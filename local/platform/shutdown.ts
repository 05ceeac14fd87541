/** Runs shutdown steps one after another, last added first. If a step throws an error, the remaining steps do not run. */
export class Shutdown {
  private readonly steps: (() => unknown)[] = [];
  private result: Promise<void> | undefined;

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  run(): Promise<void> {
    this.result ??= this.runSteps();
    return this.result;
  }

  private async runSteps(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) await step();
  }
}
