import type { Stage } from '../../lib/stages.ts';
import { checkSettings, settingsOf, settingsUnknown } from './changes.ts';
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
import { type Finding, find } from './finding.ts';

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
 * @param qualifier the qualifier of the CDK's bootstrap stack
 * @returns the findings of all checks, or only those about the credentials and the region if either of these two fails
 */
export async function preflight(stage: Stage, qualifier = 'hnb659fds'): Promise<Finding[]> {
  const { settings } = stage;
  const { findings, account, region } = await checkAccess();
  if (findings.some(({ state }) => state === 'FAILED')) return findings;
  const stack = findStack(settings.stage);
  const checks = [
    find('bootstrap', 'SSM', () => checkBootstrap(account, region, qualifier)),
    find('stack', 'CloudFormation', async () => checkStack(settings.stage, await stack)),
    find(settingsSubject, 'CloudFormation', () =>
      stack.then((found) => checkSettings(stage, found), settingsUnknown),
    ),
    find('sender', 'SES', () => checkSender(settings)),
    find('mail quota', 'SES', checkMailQuota),
    find('concurrency', 'Lambda', () => checkConcurrency(settings, async () => settingsOf(await stack))),
    ...(settings.accessLogs ? [find('access logs', 'API Gateway', checkAccessLogs)] : []),
  ];
  return [...findings, ...(await Promise.all(checks))];
}
