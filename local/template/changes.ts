import { isDeepStrictEqual } from 'node:util';
import type { Resource } from './resource.ts';
import type { Template } from './template.ts';

/** The types whose resources get a new logical ID or new metadata with each change of another resource. */
const derivedTypes = ['AWS::ApiGateway::Deployment', 'AWS::ApiGateway::Stage', 'AWS::Lambda::Version'];

/** Returns the names of the resources that differ between two templates, other than resources of the derived types. */
export function changedResources(previous: Template, next: Template): string[] {
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
