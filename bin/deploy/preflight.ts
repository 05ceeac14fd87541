import type { Stack } from '@aws-sdk/client-cloudformation';
import { exampleSender, type Settings } from '../../lib/settings.ts';
import type { Stage } from '../../lib/stages.ts';
import { checkAliases } from './aliases.ts'; // @extension canary
import { checkSettings, hasResources, settingsOf, settingsUnknown } from './changes.ts';
import {
  checkAccessLogs,
  checkBootstrap,
  checkConcurrency,
  checkCredentials,
  checkMailQuota,
  checkRegion,
  checkSender,
  checkStack,
  findRegion,
  findStack,
} from './checks.ts';
import { checkApi, resourcesOf } from './deployed-resources.ts';
import { type Finding, find } from './finding.ts';
import { changesTlsPolicy, checkTlsPolicy, type Template } from './tls-policy.ts';

export const settingsSubject = 'settings';

/** Checks the credentials and the region, without which nothing else can be checked or deployed. */
export async function checkAccess(): Promise<{ findings: Finding[]; account: string; region: string }> {
  const region = await findRegion();
  let account = '';
  const credentials = await find('credentials', 'STS', async () => {
    const { account: found = '', ...result } = await checkCredentials(region);
    account = found;
    return result;
  });
  const findings = [credentials, { subject: 'region', ...checkRegion(region) }];
  return { findings, account, region: region ?? '' };
}

/**
 * @param synthesize returns the template that would be deployed
 * @param qualifier the qualifier of the CDK's bootstrap stack
 * @returns the findings of all checks, or only those that need no account if the credentials or the region are missing
 */
export async function preflight(
  stage: Stage,
  synthesize: () => Template,
  qualifier = 'hnb659fds',
): Promise<Finding[]> {
  const { settings } = stage;
  const { findings, account, region } = await checkAccess();
  const sender = () => find('sender', 'SES', () => checkSender(settings));
  if (findings.some(({ state }) => state === 'FAILED'))
    return settings.mailSender === exampleSender ? [...findings, await sender()] : findings;
  const stack = findStack(settings.stage);
  let deployed: Stack | undefined;
  const checks = [
    find('bootstrap', 'SSM', () => checkBootstrap(account, region, qualifier)),
    find('stack', 'CloudFormation', async () => {
      deployed = await stack;
      return checkStack(settings.stage, deployed);
    }),
    find(settingsSubject, 'CloudFormation', () =>
      stack.then((found) => checkSettings(stage, found), settingsUnknown),
    ),
    sender(),
    find('mail quota', 'SES', checkMailQuota),
    find('concurrency', 'Lambda', () => checkConcurrency(settings, async () => settingsOf(await stack))),
    ...(settings.accessLogs ? [find('access logs', 'API Gateway', checkAccessLogs)] : []),
  ];
  findings.push(...(await Promise.all(checks)));
  if (deployed && hasResources(deployed))
    findings.push(...(await checkDeployed(settings, deployed, synthesize)));
  return findings;
}

/** Checks what can make a change of the deployed stack fail. */
async function checkDeployed(
  settings: Settings,
  stack: Stack,
  synthesize: () => Template,
): Promise<Finding[]> {
  const resources = resourcesOf(settings.stage);
  const findings = await Promise.all([
    find('API', 'API Gateway', () => checkApi(resources)),
    find('aliases', 'Lambda', () => checkAliases(resources)), // @extension canary
  ]);
  if (!changesTlsPolicy(settings, stack)) return findings;
  // The synthesis takes longer than a check may take.
  const template = synthesize();
  return [
    ...findings,
    await find('TLS policy', 'CloudFormation', () => checkTlsPolicy(settings, stack, template)),
  ];
}
