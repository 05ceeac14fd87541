import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, xml, xmlError, xmlNamespaces } from '../endpoint/response.ts';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';
import type { Template } from '../template/template.ts';
import { type Mail, recipientsOf } from './mail.ts';
import type { Mailbox } from './mailbox.ts';
import { simulatedEventsOf } from './mailbox-simulator.ts';

/** The emulator of SES. It supports SendEmail of API version 1 (the AWS query protocol), and puts mail into a mailbox without delivering it. */
export class SesEmulator {
  private readonly mailbox: Mailbox;
  private configurationSets: readonly string[] = [];
  private readonly onEvent: (event: BusEvent) => void;
  private readonly clock: Pick<Clock, 'now'>;

  /** @param onEvent receives the events of the mailbox simulator. Only mail with a configuration set causes them */
  constructor(
    template: Template,
    mailbox: Mailbox,
    { onEvent, clock }: { readonly onEvent: (event: BusEvent) => void; readonly clock: Pick<Clock, 'now'> },
  ) {
    this.mailbox = mailbox;
    this.onEvent = onEvent;
    this.clock = clock;
    this.deploy(template);
  }

  /** Accepts the configuration sets of a template from now on. */
  deploy(template: Template): void {
    this.configurationSets = template
      .ofType('AWS::SES::ConfigurationSet')
      .map((resource) => template.idOf(resource));
  }

  readonly serve: Emulator = async ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const action = parameters.get('Action');
    if (action !== 'SendEmail')
      return sesError('InvalidAction', `The local cloud does not support the SES action ${action}.`);
    const configurationSet = parameters.get('ConfigurationSetName');
    if (configurationSet !== null && !this.configurationSets.includes(configurationSet))
      return sesError(
        'ConfigurationSetDoesNotExist',
        `Configuration set <${configurationSet}> does not exist.`,
      );
    const mail = mailOf(parameters, this.clock.now());
    if (recipientsOf(mail).length === 0)
      return sesError('InvalidParameterValue', 'The mail must have a recipient.');
    this.mailbox.add(mail);
    const { messageId, subject } = mail;
    report({ type: 'mail', messageId, to: recipientsOf(mail), subject });
    if (configurationSet !== null)
      for (const event of simulatedEventsOf(mail, configurationSet)) this.onEvent(event);
    return xml(
      200,
      `<SendEmailResponse xmlns="${xmlNamespaces.ses}"><SendEmailResult><MessageId>${mail.messageId}</MessageId></SendEmailResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></SendEmailResponse>`,
    );
  };
}

function sesError(code: string, message: string): AwsResponse {
  return xmlError('ses', 400, code, message);
}

/** Creates a mail from the parameters of SendEmail, with a new message ID. @param now milliseconds since 1970 */
function mailOf(parameters: URLSearchParams, now: number): Mail {
  const members = (name: string) =>
    [...parameters]
      .filter(([key]) => key.startsWith(`Destination.${name}.member.`))
      .map(([, address]) => address);
  return {
    messageId: randomUUID(),
    from: parameters.get('Source') ?? '',
    destination: { to: members('ToAddresses'), cc: members('CcAddresses'), bcc: members('BccAddresses') },
    subject: parameters.get('Message.Subject.Data') ?? '',
    body: {
      text: parameters.get('Message.Body.Text.Data') ?? '',
      html: parameters.get('Message.Body.Html.Data') ?? '',
    },
    at: Math.floor(now / 1000),
  };
}
