import { channel } from 'node:diagnostics_channel';
import type { AwsCall } from '../endpoint/emulator.ts';
import { type AwsResponse, errorResponse, usesQueryProtocol } from '../endpoint/response.ts';
import { log } from '../platform/log.ts';
import { account } from '../template/arns.ts';
import type { Template } from '../template/template.ts';
import { matches, operatorPolicies, policiesOf, type Statement, statementsOf } from './policies.ts';
import { type RequiredPermission, requiredPermissionsOf } from './required-permissions.ts';

interface Role {
  readonly name: string;
  readonly statements: readonly Statement[];
}

export interface AuthorizationDecision extends RequiredPermission {
  /** The name of the function, or `operator`. */
  readonly caller: string;
  /** The matching resource patterns in the statements that allow the permission. Empty if the permission is denied. */
  readonly allowedBy: readonly string[];
}

export const operator = 'operator';

/** Lets tests read each `AuthorizationDecision`. */
const decided = channel('local-cloud:authorization');

/**
 * Authorizes AWS calls. A function has the permissions of its role in the template; the operator has those of the managed
 * policies. Other callers, such as the administrator, need no permissions.
 */
export class Authorizer {
  private readonly roles: ReadonlyMap<string, Role>;

  /** @throws Error with the policy's logical ID if a policy has an element that the authorizer cannot evaluate */
  constructor(template: Template) {
    this.roles = new Map([
      ...template.ofType('AWS::Lambda::Function').map((lambda) => {
        const { role, policies } = policiesOf(template, lambda);
        return [lambda.name, { name: role, statements: policies.flatMap(statementsOf) }] as const;
      }),
      [operator, { name: operator, statements: operatorPolicies(template).flatMap(statementsOf) }],
    ]);
  }

  /**
   * Returns undefined if the call is allowed.
   *
   * @throws Error if the call's service is unknown
   */
  errorFor(call: AwsCall): AwsResponse | undefined {
    const role = this.roles.get(call.caller);
    if (!role) return undefined;
    const decisions = requiredPermissionsOf(call).map(
      (permission): AuthorizationDecision => ({
        caller: call.caller,
        ...permission,
        allowedBy: role.statements
          .filter((statement) => applies(statement, permission))
          .flatMap(({ resources }) => resources)
          .filter((pattern) => matches(pattern, permission.resource)),
      }),
    );
    for (const decision of decisions) decided.publish(decision);
    const denied = decisions.find(({ allowedBy }) => allowedBy.length === 0);
    if (!denied) return undefined;
    const { action, resource } = denied;
    const principal = `arn:aws:sts::${account}:assumed-role/${role.name}/${call.caller}`;
    log(
      `${call.caller} has no permission for ${action} on ${resource}. The policies in the template do not allow it.`,
    );
    return denial(
      call.service,
      `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
    );
  }
}

function applies({ actions, conditions }: Statement, { action, context }: RequiredPermission): boolean {
  return (
    actions.includes(action) &&
    conditions.every(([key, values]) => context[key] !== undefined && values.includes(context[key]))
  );
}

function denial(service: string, message: string): AwsResponse {
  if (usesQueryProtocol(service)) return errorResponse(service, 403, 'AccessDenied', message);
  const status = ['lambda', 'scheduler'].includes(service) ? 403 : 400;
  return errorResponse(service, status, 'AccessDeniedException', message);
}
