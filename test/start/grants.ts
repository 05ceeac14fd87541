import type { AuthorizationDecision } from '@rest-actions/local-cloud/parts';
import type { Template } from '@rest-actions/local-cloud/template';

export interface Grant {
  readonly action: string;
  readonly resource: string;
}

interface Statement {
  readonly Action: string | string[];
  readonly Resource: string | string[];
}

export const stackName = 'DogService-prod';

export function grantsOf({ properties }: Template['resources'][number]): Grant[] {
  return properties.PolicyDocument.Statement.flatMap(({ Action, Resource }: Statement) =>
    [Action].flat().flatMap((action) => [Resource].flat().map((resource): Grant => ({ action, resource }))),
  );
}

/** Returns the grants of a caller without which each of its calls would still be allowed. */
export function superfluous<Own extends Grant>(
  grants: readonly Own[],
  decisions: readonly AuthorizationDecision[],
): Own[] {
  return grants.filter(
    (grant) =>
      !decisions.some(
        ({ action, allowedBy: [resource, ...others] }) =>
          action === grant.action && resource === grant.resource && others.length === 0,
      ),
  );
}
