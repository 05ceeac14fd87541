import { Template } from '../../local/template/template.ts';
import { readJson } from './support.ts';

/** One action on one resource, and the place of both in the template. */
export interface Grant {
  readonly action: string;
  readonly resource: string;
  /** The logical ID of the policy, the index of the statement in it, and the index of the resource in the statement. */
  readonly place: readonly [policy: string, statement: number, resource: number];
}

/** A policy of the template. */
type Policy = Pick<Template['resources'][number], 'logicalId' | 'properties'>;

interface Statement {
  readonly Action: string | string[];
  readonly Resource: string | string[];
}

export const stackName = 'DogService-prod';

/** Returns the grants of a policy. */
export function grantsOf({ logicalId, properties }: Policy): Grant[] {
  return properties.PolicyDocument.Statement.flatMap(({ Action, Resource }: Statement, s: number) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource].flat().map((resource, r): Grant => ({ action, resource, place: [logicalId, s, r] })),
      ),
  );
}

/** Returns the template of a synthesized stack without one grant. The other grants of the same statement stay. */
export function templateWithout({ action, place: [policy, s, r] }: Grant, assembly: string): Template {
  const document = documentIn(assembly);
  const { Statement: statements } = document.Resources[policy]?.Properties?.PolicyDocument ?? {};
  const { Action, Resource, ...rest } = statements[s];
  const resources = [Resource].flat();
  statements.splice(
    s,
    1,
    { ...rest, Action: [Action].flat().filter((one) => one !== action), Resource: resources },
    { ...rest, Action: action, Resource: resources.filter((_, i) => i !== r) },
  );
  return new Template(document, stackName);
}

export function templateIn(assembly: string): Template {
  return new Template(documentIn(assembly), stackName);
}

function documentIn(assembly: string): ConstructorParameters<typeof Template>[0] {
  return readJson(assembly, `${stackName}.template.json`);
}
