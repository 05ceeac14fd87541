import { Stack } from 'aws-cdk-lib';
import type { ServiceFunction } from './service-function.ts';

/**
 * Lets a function send mail from the service's own address. SES checks, besides the sender's identity, that of each
 * recipient while the account is in its sandbox; hence all identities of this account, held in by the conditions.
 */
export function allowMail(lambda: ServiceFunction, sender: string): void {
  const stack = Stack.of(lambda);
  lambda.give('MAIL_SENDER', sender);
  lambda.allow(
    ['ses:SendEmail'],
    [stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
    {
      StringEquals: { 'ses:FromAddress': sender, 'aws:ResourceAccount': stack.account },
    },
  );
}
