import { CfnOutput, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { LoggedEventAlarm } from './alarms.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Encryption } from './encryption.ts';
import type { ServiceFunction } from './service-function.ts';

export interface MailSettings {
  readonly mailSender: string;
  readonly mailIdentity: string;
  readonly removalPolicy: RemovalPolicy;
  readonly encryption: Encryption;
}

/**
 * The SES resources: the configuration set, the queue of bounces, complaints and rejections, and an identity if the settings name
 * one.
 */
export class Mail extends Construct {
  private readonly sender: string;
  private readonly configurationSet: ConfigurationSet;
  /**
   * The alarm on failed mail of scheduled and asynchronous barks. No client waits for these barks, so only the log
   * shows the failure.
   */
  private readonly failed: LoggedEventAlarm;

  constructor(
    scope: Construct,
    id: string,
    { mailSender, mailIdentity, removalPolicy, encryption }: MailSettings,
  ) {
    super(scope, id);
    this.sender = mailSender;
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', { reputationMetrics: true });
    this.failed = new LoggedEventAlarm(
      this,
      'MailFailed',
      'The mail of a scheduled or asynchronous bark failed. The log entry states the reason.',
    );
    this.addFeedbackQueue(encryption);
    if (mailIdentity !== '') this.addIdentity(mailIdentity, removalPolicy);
  }

  /**
   * Grants a function the permission to send mail from the address of the service, sets the environment variables `MAIL_SENDER`
   * and `MAIL_CONFIGURATION_SET`, and counts the failed mail in the function's log. While the account is in the sandbox, SES
   * also checks the identity of each recipient. The statement therefore names all identities of this account, and the
   * condition limits the statement to the sender.
   */
  grantSend(lambda: ServiceFunction): void {
    const stack = Stack.of(this);
    this.failed.watch(lambda);
    lambda.addEnvironment('MAIL_SENDER', this.sender);
    lambda.addEnvironment('MAIL_CONFIGURATION_SET', this.configurationSet.configurationSetName);
    lambda.addPolicyStatement(
      ['ses:SendEmail'],
      [
        stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' }),
        stack.formatArn({
          service: 'ses',
          resource: 'configuration-set',
          resourceName: this.configurationSet.configurationSetName,
        }),
      ],
      { StringEquals: { 'ses:FromAddress': this.sender } },
    );
  }

  /** Sends bounces, complaints and rejections to a queue. These events occur after SES has accepted the mail. */
  private addFeedbackQueue(encryption: Encryption): void {
    this.configurationSet.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    });
    const feedbackQueue = new DeadLetterQueue(this, 'MailFeedback', {
      alarmDescription:
        'Mail bounced or was rejected, or its recipient complained. The notification is in the queue.',
      encryption,
    });
    new Rule(this, 'FeedbackRule', {
      description: 'Bounces, complaints and rejections of mail',
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Email Bounced', 'Email Complaint Received', 'Email Rejected'],
        detail: {
          mail: { tags: { 'ses:configuration-set': [this.configurationSet.configurationSetName] } },
        },
      },
      targets: [new SqsQueue(feedbackQueue)],
    });
  }

  private addIdentity(mailIdentity: string, removalPolicy: RemovalPolicy): void {
    const isDomain = !mailIdentity.includes('@');
    const identity = new EmailIdentity(this, 'Identity', {
      identity: isDomain ? Identity.domain(mailIdentity) : Identity.email(mailIdentity),
    });
    identity.applyRemovalPolicy(removalPolicy);
    if (!isDomain) return;
    const records = identity.dkimRecords.map(({ name, value }) => `${name} CNAME ${value}`);
    new CfnOutput(this, 'DkimRecords', {
      key: 'DkimRecords',
      value: records.join('\n'),
      description: 'The DNS records that SES needs to verify the domain',
    });
  }
}
