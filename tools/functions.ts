import { join } from 'node:path';
import { routes } from '../lambdas/contract/routes.ts';
import { policiesOf } from '../local/iam/authorization.ts';
import type { Synthesized } from '../local/template/synthesize.ts';
import type { Resource } from '../local/template/template.ts';

/** A function as the template has it, and as it is measured. */
export interface MeasuredFunction {
  readonly name: string;
  readonly resource: Resource;
  /** Where its asset lies. */
  readonly directory: string;
  /** The services that its code may call, by its role. */
  readonly services: readonly string[];
}

/** What may be allowed to a function and is not called by its code: logs, traces, and the role that it hands on. */
const others = new Set(['iam', 'kms', 'logs', 'sqs', 'xray']);

export function functionsOf({ template, directory }: Synthesized): MeasuredFunction[] {
  return template.ofType('AWS::Lambda::Function').map((resource) => {
    const actions: string[] = policiesOf(template, resource)
      .policies.flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .flatMap(({ Action }) => Action);
    const services = new Set(actions.map((action) => action.replace(/:.*/, '')));
    return {
      name: resource.name,
      resource,
      directory: join(directory, resource.properties.assetPath),
      services: [...services].filter((service) => !others.has(service)).sort(),
    };
  });
}

/** The module that Lambda loads. */
export function codeOf({ directory, resource }: Pick<MeasuredFunction, 'directory' | 'resource'>): string {
  return join(directory, `${resource.properties.Handler.split('.')[0]}.cjs`);
}

/** What the code of a function may weigh, in bytes: the less, the sooner it has started. */
export function sizeBudget({ services }: Pick<MeasuredFunction, 'services'>): number {
  return [60_000, 240_000][services.length] ?? 300_000;
}

/** The module below `lambdas/` that a function is made of. */
export function entryOf(name: string): string {
  const route = routes.find((one) => one.name === name);
  if (route) return route.entry;
  return name === 'Fallback'
    ? 'api/fallback.ts'
    : `jobs/${name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase()}.ts`;
}
