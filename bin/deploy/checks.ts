import { APIGatewayClient, GetAccountCommand as GetGatewayAccountCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { exampleSender, type Settings } from '../../lib/settings.ts';
import { fileOf, stackOf } from '../../lib/stages.ts';
import { failed, note, ok, type Result } from './finding.ts';

/** STS requires a region. With this one, the credentials can be checked even if no region is set. */
const anyRegion = 'us-east-1';

/** The oldest version of the CDK's bootstrap stack that a deployment accepts. The CDK writes it into `manifest.json`. */
export const bootstrapVersion = 6;

export async function findRegion(): Promise<string | undefined> {
  try {
    return await new STSClient().config.region();
  } catch {
    return undefined;
  }
}

export function checkRegion(region: string | undefined): Result {
  return region === undefined
    ? failed('No region is set. Set AWS_REGION, for example with export AWS_REGION=eu-west-1.')
    : ok(region);
}

export async function checkCredentials(region = anyRegion): Promise<Result & { account?: string }> {
  try {
    const { Account = '', Arn } = await new STSClient({ region }).send(new GetCallerIdentityCommand());
    return { ...ok(`account ${Account}, ${Arn}`), account: Account };
  } catch (error) {
    const { name, message } = error as Error;
    if (/^(Credentials|Token)ProviderError$/.test(name))
      return failed(`There are no AWS credentials. Set AWS_PROFILE, or run aws configure. ${message}`);
    if (name.startsWith('ExpiredToken'))
      return failed('The AWS credentials have expired. Sign in again, for example with aws sso login.');
    if (/^(InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch)$/.test(name))
      return failed(
        `AWS does not accept the credentials in ${region} (${name}). Check them, and check that the region is enabled for the account.`,
      );
    throw error;
  }
}

export async function checkBootstrap(account: string, region: string, qualifier: string): Promise<Result> {
  const remedy = `Run npx cdk bootstrap aws://${account}/${region}`;
  const Name = `/cdk-bootstrap/${qualifier}/version`;
  try {
    const { Parameter } = await new SSMClient().send(new GetParameterCommand({ Name }));
    const version = Number(Parameter?.Value);
    return version >= bootstrapVersion
      ? ok(`version ${version}`)
      : failed(
          `The region has version ${Parameter?.Value}, and the CDK needs ${bootstrapVersion}. ${remedy}`,
        );
  } catch (error) {
    if ((error as Error).name === 'ParameterNotFound')
      return failed(`The CDK has not been set up in the region. ${remedy}`);
    throw error;
  }
}

export async function findStack(stage: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await new CloudFormationClient().send(
      new DescribeStacksCommand({ StackName: stackOf(stage) }),
    );
    return Stacks?.[0];
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw error;
  }
}

export function checkStack(stage: string, stack: Stack | undefined): Result {
  const name = stackOf(stage);
  const { StackStatus: status = '', EnableTerminationProtection: isProtected } = stack ?? {};
  if (stack === undefined) return ok(`${name} does not exist yet`);
  if (status === 'ROLLBACK_COMPLETE' && isProtected)
    return failed(
      `The first deployment of ${name} failed (ROLLBACK_COMPLETE), and the stack is protected. Run aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`,
    );
  if (status === 'ROLLBACK_COMPLETE')
    return note(`The first deployment of ${name} failed (ROLLBACK_COMPLETE). The CDK replaces the stack.`);
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return failed(
      `A rollback of ${name} failed (${status}). Correct its cause, and run aws cloudformation continue-update-rollback --stack-name ${name}`,
    );
  if (status === 'ROLLBACK_FAILED' || status === 'DELETE_FAILED')
    return failed(
      `${name} was not deleted completely (${status}). Delete it with npm run destroy -- --stage ${stage}`,
    );
  if (status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS')
    return failed(`${name} is being changed (${status}). Wait until the other operation has ended.`);
  return ok(`${name}, ${status}`);
}

/** Checks that SES has verified the sender: its address, its domain or a parent domain. */
export async function checkSender({ mailSender, mailIdentity, stage }: Settings): Promise<Result> {
  if (mailSender === exampleSender)
    return failed(`SES cannot send from ${mailSender}. Set mailSender in ${fileOf(stage)} to your address.`);
  const states = await Promise.all(identitiesOf(mailSender).map(stateOfIdentity));
  if (states.includes('verified')) return ok(mailSender);
  if (mailIdentity !== '')
    return note(
      `SES has not verified ${mailIdentity} yet. After the deployment, open the link that SES sends, or add the DkimRecords to DNS.`,
    );
  return states.includes('pending')
    ? failed(
        `SES has not verified ${mailSender} yet. Open the link that SES has sent, or add its records to DNS.`,
      )
    : failed(
        `SES has no identity for ${mailSender}. Set mailIdentity in ${fileOf(stage)} to the address or its domain, or run aws sesv2 create-email-identity --email-identity ${mailSender}`,
      );
}

/** Returns the address, its domain and all parent domains with at least two labels. */
function identitiesOf(address: string): string[] {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))];
}

async function stateOfIdentity(EmailIdentity: string): Promise<'verified' | 'pending' | 'unknown'> {
  try {
    const { VerifiedForSendingStatus } = await new SESv2Client().send(
      new GetEmailIdentityCommand({ EmailIdentity }),
    );
    return VerifiedForSendingStatus ? 'verified' : 'pending';
  } catch (error) {
    if ((error as Error).name === 'NotFoundException') return 'unknown';
    throw error;
  }
}

export async function checkMailQuota(): Promise<Result> {
  const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await new SESv2Client().send(
    new GetAccountCommand(),
  );
  if (SendingEnabled === false)
    return failed('SES has paused sending for the account. See the Account dashboard of the SES console.');
  const mails = `${SendQuota?.Max24HourSend} mails a day`;
  return ProductionAccessEnabled
    ? ok(mails)
    : note(
        `SES is in the sandbox: ${mails}, and only to verified addresses. Request production access in the SES console.`,
      );
}

/** A new account's quota can be below this number. */
const usualConcurrency = 100;

/**
 * Lambda refuses a reservation, or provisioned concurrency, that leaves too little concurrency for all other functions. During a
 * deployment, the old and the new version of a function have provisioned concurrency.
 *
 * @param deployed returns the settings of the deployed stack. Lambda has already subtracted what the stack reserves from the
 *   unreserved concurrency
 */
export async function checkConcurrency(
  { authorizerReservedConcurrency: reserved, authorizerProvisionedConcurrency: provisioned, stage }: Settings,
  deployed: () => Promise<Readonly<Record<string, unknown>> | undefined>,
): Promise<Result> {
  const { AccountLimit } = await new LambdaClient().send(new GetAccountSettingsCommand());
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: left = quota } =
    AccountLimit ?? {};
  const increase =
    'Request 1000 with aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000';
  const minimum = quota < usualConcurrency ? 10 : usualConcurrency;
  const before = reserved + provisioned === 0 ? undefined : await deployed();
  const reservedNow = Number(before?.authorizerReservedConcurrency ?? 0);
  const provisionedNow = Number(before?.authorizerProvisionedConcurrency ?? 0);
  const leaves = (setting: string, rest: number) =>
    failed(
      `${setting} in ${fileOf(stage)} leaves ${rest} concurrent executions, and Lambda requires ${minimum}. Lower it. ${increase}`,
    );
  const unreserved = left + reservedNow - reserved;
  if (reserved > reservedNow && unreserved < minimum)
    return leaves('authorizerReservedConcurrency', unreserved);
  // Provisioned concurrency is part of the function's reservation, if there is one.
  const rest = unreserved - (reserved > 0 ? 0 : provisionedNow + provisioned);
  if (provisioned > 0 && rest < minimum) return leaves('authorizerProvisionedConcurrency', rest);
  return quota < usualConcurrency
    ? note(`The account has only ${quota} concurrent executions. Above them, requests get 503. ${increase}`)
    : ok(`${quota} concurrent executions`);
}

/** Checks the role with which API Gateway writes access logs. The role belongs to the account, not to the stack. */
export async function checkAccessLogs(): Promise<Result> {
  const { cloudwatchRoleArn } = await new APIGatewayClient().send(new GetGatewayAccountCommand());
  return cloudwatchRoleArn
    ? ok(cloudwatchRoleArn)
    : failed(
        'API Gateway has no role for logs. Create it as in docs/operations.md#logs-and-traces, or set accessLogs to false.',
      );
}
