import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import type { PageContent } from '../endpoint/endpoint.ts';
import { type AwsResponse, xml, xmlError, xmlNamespaces } from '../endpoint/response.ts';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { report } from '../platform/activity.ts';
import { JsonLines } from '../platform/json-lines.ts';
import { defaultTexts, type ServiceTexts } from '../platform/service-texts.ts';
import type { Template } from '../template/template.ts';
import { inboxPage } from './inbox-page.ts';
import { type Mail, mailOf, recipientsOf } from './mail.ts';
import { simulatedEventsOf } from './mailbox-simulator.ts';

/** The emulator of SES. It supports SendEmail of API version 1 (the AWS query protocol), and stores mail without delivering it. */
export class SesEmulator {
  private readonly file: JsonLines<Mail>;
  private readonly mails: Mail[];
  private configurationSets: readonly string[] = [];
  private readonly texts: ServiceTexts;
  private readonly onEvent: (event: BusEvent) => void;

  /** @param onEvent receives the events of the mailbox simulator. Only mail with a configuration set causes them */
  constructor(
    template: Template,
    file: string,
    { onEvent, texts = defaultTexts }: { onEvent: (event: BusEvent) => void; texts?: ServiceTexts },
  ) {
    this.texts = texts;
    this.file = new JsonLines(file);
    this.mails = this.file.read();
    this.onEvent = onEvent;
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
    const mail = mailOf(parameters);
    if (recipientsOf(mail).length === 0)
      return sesError('InvalidParameterValue', 'The mail must have a recipient.');
    this.store(mail);
    const { messageId, subject } = mail;
    report({ type: 'mail', messageId, to: recipientsOf(mail), subject });
    if (configurationSet !== null)
      for (const event of simulatedEventsOf(mail, configurationSet)) this.onEvent(event);
    return xml(
      200,
      `<SendEmailResponse xmlns="${xmlNamespaces.ses}"><SendEmailResult><MessageId>${mail.messageId}</MessageId></SendEmailResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></SendEmailResponse>`,
    );
  };

  /** Returns all mails as JSON, oldest first. */
  readonly mailsPage = (): PageContent => ({
    contentType: 'application/json',
    body: JSON.stringify({ emails: this.mails }),
  });

  /** Returns all mails as HTML, newest first. */
  readonly inbox = (): PageContent => ({
    contentType: 'text/html; charset=utf-8',
    body: inboxPage(this.mails.toReversed(), this.texts),
  });

  private store(mail: Mail): void {
    this.file.append(mail);
    this.mails.push(mail);
  }
}

function sesError(code: string, message: string): AwsResponse {
  return xmlError('ses', 400, code, message);
}
