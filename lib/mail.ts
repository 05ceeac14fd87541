import { CfnOutput, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { LoggedEventAlarm } from './alarms.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

export interface MailSettings {
  readonly mailSender: string;
  readonly mailIdentity: string;
  /** For unsubscribe links. */
  readonly baseUrl: string;
  readonly removalPolicy: RemovalPolicy;
}

export class Mail extends Construct {
  private readonly suspendAddress: ServiceFunction;
  private readonly sender: string;
  private readonly baseUrl: string;
  private readonly configurationSet: ConfigurationSet;
  private readonly failed: LoggedEventAlarm;
  private readonly refused: LoggedEventAlarm;

  constructor(
    scope: Construct,
    id: string,
    { mailSender, mailIdentity, baseUrl, removalPolicy }: MailSettings,
    defaults: FunctionDefaults,
  ) {
    super(scope, id);
    this.sender = mailSender;
    this.baseUrl = baseUrl;
    // With `suppressionReasons`, SES sends no mail to an address that bounced or complained, whichever dog sends it.
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      reputationMetrics: true,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.failed = new LoggedEventAlarm(
      this,
      'MailFailed',
      'The mail of a scheduled or asynchronous bark failed. The log entry states the reason.',
    );
    this.refused = new LoggedEventAlarm(
      this,
      'SenderRefused',
      'SES accepts no mail from the service. The log entry states the reason.',
    );
    this.suspendAddress = new ServiceFunction(this, 'SuspendAddress', defaults, {
      entry: 'jobs/suspend-address.ts',
      description: 'Suspends an address that bounced or complained',
      capabilities: { dogs: ['GetItem', 'UpdateItem'] },
    });
    this.addFeedback(defaults);
    if (mailIdentity !== '') this.addIdentity(mailIdentity, removalPolicy);
  }

  /**
   * In the sandbox, SES also checks the identity of each recipient. The first statement therefore names all identities in
   * this account, and its condition restricts the sender. SES also requires permission for the configuration set. AWS does
   * not say whether the condition's key exists for that resource, so the second statement has no condition.
   */
  grantSend(lambda: ServiceFunction): void {
    const stack = Stack.of(this);
    for (const alarm of [this.failed, this.refused]) alarm.watch(lambda);
    lambda.addEnvironment('MAIL_SENDER', this.sender);
    lambda.addEnvironment('MAIL_CONFIGURATION_SET', this.configurationSet.configurationSetName);
    lambda.addEnvironment('BASE_URL', this.baseUrl);
    lambda.addPolicyStatement(
      ['ses:SendRawEmail'],
      [stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
      { StringEquals: { 'ses:FromAddress': this.sender } },
    );
    lambda.addPolicyStatement(
      ['ses:SendRawEmail'],
      [
        stack.formatArn({
          service: 'ses',
          resource: 'configuration-set',
          resourceName: this.configurationSet.configurationSetName,
        }),
      ],
    );
  }

  /**
   * The function suspends the address after a permanent bounce or a complaint. The other events go to a queue for the
   * operator, because the service cannot judge them: a full mailbox, for example, may accept mail again later. The function
   * ignores reports in which no recipient complains; those about faulty mail also go to the queue.
   */
  private addFeedback({ encryption }: FunctionDefaults): void {
    this.configurationSet.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    });
    const deadLetterQueue = new DeadLetterQueue(this, 'SuspensionDlq', {
      lambda: this.suspendAddress,
      alarmDescription:
        'An address that bounced or complained could not be suspended for its dog. The event is in the queue.',
      encryption,
    });
    this.suspendAddress.entryPoint.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(6),
      onFailure: new SqsDestination(deadLetterQueue),
    });
    const suspension = new LambdaFunction(this.suspendAddress.entryPoint, {
      retryAttempts: 5,
      maxEventAge: Duration.hours(6),
      deadLetterQueue,
    });
    this.addRule('SuspensionRule', suspension, {
      description: 'Permanent bounces of mail, and complaints',
      detailType: ['Email Bounced', 'Email Complaint Received'],
      detail: { bounce: { bounceType: ['Permanent', { exists: false }] } },
    });
    const feedback = new SqsQueue(
      new DeadLetterQueue(this, 'MailFeedback', {
        alarmDescription:
          'Mail bounced, perhaps temporarily, or it was rejected or reported as faulty. The event is in the queue.',
        encryption,
      }),
    );
    this.addRule('FeedbackRule', feedback, {
      description: 'Other bounces of mail, and rejections',
      detailType: ['Email Bounced', 'Email Rejected'],
      detail: { bounce: { bounceType: ['Transient', 'Undetermined', { exists: false }] } },
    });
    this.addRule('ReportRule', feedback, {
      description: 'Reports that mail failed authentication or contains a virus',
      detailType: ['Email Complaint Received'],
      detail: { complaint: { complaintFeedbackType: ['auth-failure', 'virus'] } },
    });
  }

  /** Routes only events about this stack's mail. */
  private addRule(
    id: string,
    target: IRuleTarget,
    {
      description,
      detailType,
      detail,
    }: { readonly description: string; readonly detailType: string[]; readonly detail: object },
  ): void {
    new Rule(this, id, {
      description,
      eventPattern: {
        source: ['aws.ses'],
        detailType,
        detail: {
          ...detail,
          mail: { tags: { 'ses:configuration-set': [this.configurationSet.configurationSetName] } },
        },
      },
      targets: [target],
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
