import { isDeepStrictEqual } from 'node:util';
import { CloudFormationClient, GetTemplateCommand, type Stack } from '@aws-sdk/client-cloudformation';
import type { Settings } from '../../lib/settings.ts';
import { fileOf, stackOf } from '../../lib/stages.ts';
import { settingsOf } from './changes.ts';
import { failed, ok, type Result } from './finding.ts';

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export function changesTlsPolicy({ tlsPolicy }: Settings, stack: Stack): boolean {
  const before = settingsOf(stack);
  return before !== undefined && before.tlsPolicy !== tlsPolicy;
}

/**
 * Fails if the deployment would change the TLS policy and anything else in the API, because API Gateway refuses other changes
 * while it applies a policy.
 *
 * @param template the template that would be deployed
 */
export async function checkTlsPolicy(
  { tlsPolicy, stage }: Settings,
  stack: Stack,
  template: Template,
): Promise<Result> {
  const { TemplateBody = '{}' } = await new CloudFormationClient().send(
    new GetTemplateCommand({ StackName: stackOf(stage) }),
  );
  const before = JSON.stringify(settingsOf(stack)?.tlsPolicy);
  const changed = differences(apiOf(JSON.parse(TemplateBody)), apiOf(template));
  if (changed.length === 0)
    return ok(`${before} becomes ${JSON.stringify(tlsPolicy)} within about 15 minutes`);
  const others = changed.length > shown ? ` and ${changed.length - shown} more` : '';
  return failed(
    `The deployment would change tlsPolicy together with other parts of the API (${changed.slice(0, shown).join(', ')}${others}), which API Gateway refuses. Deploy first with "tlsPolicy": ${before} in ${fileOf(stage)}, and then change it.`,
  );
}

/** The number of resources in the message. */
const shown = 3;

const policyProperties = ['SecurityPolicy', 'EndpointAccessMode'];

/** Returns the resources of the API without what a change of the policy changes. Each such change creates a new deployment. */
function apiOf({ Resources }: Template): Map<string, Resource> {
  const ofApi = Object.entries(Resources).filter(
    ([, { Type }]) => Type.startsWith('AWS::ApiGateway::') && Type !== 'AWS::ApiGateway::Deployment',
  );
  return new Map(
    ofApi.map(([id, { Type, Properties = {} }]) => {
      const kept = Object.entries(Properties).filter(
        ([name]) => !policyProperties.includes(name) && name !== 'DeploymentId',
      );
      return [id, { Type, Properties: Object.fromEntries(kept) }];
    }),
  );
}

function differences(before: Map<string, Resource>, after: Map<string, Resource>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (id) => !isDeepStrictEqual(before.get(id), after.get(id)),
  );
}
