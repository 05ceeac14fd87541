import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Resource } from './resource.ts';
import { assetsOf, type Synthesized } from './synthesize.ts';
import type { Template } from './template.ts';

export class RunningStack {
  private synthesized: Synthesized;
  private readonly steps: ((stack: Synthesized) => void)[] = [];

  constructor(synthesized: Synthesized) {
    this.synthesized = synthesized;
  }

  get current(): Synthesized {
    return this.synthesized;
  }

  /** Runs a step now, and again each time the stack is replaced. */
  deploy(step: (stack: Synthesized) => void): void {
    step(this.current);
    this.onChange(step);
  }

  /** Like `deploy`, but does not run the step now. */
  onChange(step: (stack: Synthesized) => void): void {
    this.steps.push(step);
  }

  /**
   * Runs all steps synchronously, so that no request finds the stack partly replaced.
   *
   * @returns the names of the resources that changed
   * @throws a step's error, after all steps have restored the previous stack
   */
  replace(next: Synthesized): string[] {
    const previous = this.synthesized;
    try {
      for (const step of this.steps) step(next);
    } catch (error) {
      for (const step of this.steps) step(previous);
      throw error;
    }
    this.synthesized = next;
    deleteOtherAssets(next.directory, [previous, next]);
    return changedResources(previous.template, next.template);
  }
}

/** Keeps the assets of both stacks, because a thread of the previous one may still load its bundle. */
function deleteOtherAssets(directory: string, stacks: readonly Synthesized[]): void {
  const used = stacks.map(({ template }) => assetsOf(template));
  for (const name of readdirSync(directory))
    if (name.startsWith('asset.') && !used.some((assets) => assets.has(name)))
      rmSync(join(directory, name), { recursive: true, force: true });
}

/** The types whose resources get a new logical ID or new properties because other resources have changed. */
const derivedTypes = ['AWS::ApiGateway::Deployment', 'AWS::ApiGateway::Stage', 'AWS::Lambda::Version'];

function changedResources(previous: Template, next: Template): string[] {
  const [before, after] = [resourcesById(previous), resourcesById(next)];
  const changed = [...new Map([...before, ...after]).values()].filter(
    ({ logicalId }) => !isDeepStrictEqual(before.get(logicalId), after.get(logicalId)),
  );
  return [...new Set(changed.map(({ name }) => name))];
}

function resourcesById({ resources }: Template): Map<string, Resource> {
  return new Map(
    resources.filter(({ type }) => !derivedTypes.includes(type)).map((one) => [one.logicalId, one]),
  );
}
