import { join } from 'node:path';
import type { Resource, Synthesized } from '@rest-actions/local-cloud/template';
import { policiesOf } from '@rest-actions/local-cloud/template';
import { routes } from '../lambdas/contract/routes.ts';

export interface MeasuredFunction {
  readonly name: string;
  readonly resource: Resource;
  /** The directory that contains the function's asset. */
  readonly directory: string;
  /** The AWS services that the function's code calls, according to its role's permissions. */
  readonly services: readonly string[];
}

/** The services to which a role grants access although the function's code does not call them, such as logs and traces. */
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

/** In bytes. Smaller code starts sooner. */
export function sizeBudget({ services }: Pick<MeasuredFunction, 'services'>): number {
  return [60_000, 240_000][services.length] ?? 316_000;
}

/** Relative to `lambdas/`. */
export function entryOf(name: string): string {
  const route = routes.find((one) => one.name === name);
  if (route) return route.entry;
  return name === 'Fallback'
    ? 'api/fallback.ts'
    : `jobs/${name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase()}.ts`;
}
