import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, xml, xmlError, xmlNamespaces } from '../endpoint/response.ts';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';
import { check, ServiceError } from '../platform/service-error.ts';
import type { Template } from '../template/template.ts';
import { type Mail, recipientsOf } from './mail.ts';
import type { Mailbox } from './mailbox.ts';
import { eventsOf } from './mailbox-simulator.ts';

interface Dependencies {
  /** Receives bounce and complaint events, which only mail with a configuration set causes. */
  readonly onEvent: (event: BusEvent) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/** @see {@link https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html SendRawEmail} */
const limits = { recipients: 50, messageBytes: 10 * 1024 * 1024, lineLength: 1000 };

const tagText = /^[A-Za-z0-9_-]{1,255}$/;

/** Version 1 of the SES API (the AWS query protocol). Puts mail into a mailbox without delivering it. */
export class SesEmulator {
  private readonly mailbox: Mailbox;
  private configurationSets: ReadonlySet<string> = new Set();
  private readonly dependencies: Dependencies;

  constructor(template: Template, mailbox: Mailbox, dependencies: Dependencies) {
    this.mailbox = mailbox;
    this.dependencies = dependencies;
    this.deploy(template);
  }

  deploy(template: Template): void {
    const sets = template.ofType('AWS::SES::ConfigurationSet');
    this.configurationSets = new Set(sets.map((resource) => template.idOf(resource)));
  }

  readonly serve: Emulator = async ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const action = parameters.get('Action') ?? '';
    if (action !== 'SendRawEmail')
      return xmlError(
        'ses',
        400,
        'InvalidAction',
        `The local cloud does not support the SES action ${action}.`,
      );
    try {
      return await this.send(parameters);
    } catch (error) {
      if (error instanceof ServiceError) return xmlError('ses', error.status, error.name, error.message);
      throw error;
    }
  };

  /** @see {@link https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html#API_SendRawEmail_Errors Errors} */
  private async send(parameters: URLSearchParams): Promise<AwsResponse> {
    const configurationSet = parameters.get('ConfigurationSetName');
    check(
      configurationSet === null || this.configurationSets.has(configurationSet),
      'ConfigurationSetDoesNotExist',
      `Configuration set <${configurationSet}> does not exist.`,
    );
    const tags = tagsIn(parameters);
    const mail = await mailIn(parameters, Math.floor(this.dependencies.clock.now() / 1000));
    const { messageId, subject } = mail;
    this.mailbox.add(mail);
    report({ type: 'mail', messageId, to: recipientsOf(mail), subject });
    if (configurationSet !== null)
      for (const event of eventsOf(mail, configurationSet, tags)) this.dependencies.onEvent(event);
    return xml(
      200,
      `<SendRawEmailResponse xmlns="${xmlNamespaces.ses}"><SendRawEmailResult><MessageId>${messageId}</MessageId></SendRawEmailResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></SendRawEmailResponse>`,
    );
  }
}

/** @param at Unix seconds */
async function mailIn(parameters: URLSearchParams, at: number): Promise<Mail> {
  const data = Buffer.from(parameters.get('RawMessage.Data') ?? '', 'base64');
  checkValue(
    data.length <= limits.messageBytes,
    `Message length is more than ${limits.messageBytes} bytes long: '${data.length}'.`,
  );
  const lines = data.toString('latin1').split('\n');
  checkValue(
    lines.every((line) => line.length < limits.lineLength),
    `Lines must not have more than ${limits.lineLength} characters.`,
  );
  const { from, subject = '', text = '', html = '', headers } = await PostalMime.parse(data);
  checkValue(from?.address, "Missing required header 'From'.");
  const keys = [...parameters.keys()].filter((key) => key.startsWith('Destinations.member.'));
  checkValue(keys.length > 0, 'The mail must have a recipient.');
  checkValue(keys.length <= limits.recipients, `Recipient count exceeds ${limits.recipients}.`);
  const unsubscribe = headers.find(({ key }) => key === 'list-unsubscribe')?.value;
  return {
    messageId: randomUUID(),
    from: from.address,
    destination: { to: keys.map((key) => parameters.get(key) ?? ''), cc: [], bcc: [] },
    subject,
    // Omits the line break before the MIME boundary, or at the end of the message.
    body: { text: text.replaceAll('\r\n', '\n').trimEnd(), html },
    ...(unsubscribe !== undefined && { unsubscribe }),
    at,
  };
}

function tagsIn(parameters: URLSearchParams): Map<string, string> {
  const names = [...parameters].filter(([key]) => /^Tags\.member\.\d+\.Name$/.test(key));
  const tags = new Map(
    names.map(([key, name]) => [name, parameters.get(key.replace(/Name$/, 'Value')) ?? ''] as const),
  );
  checkValue(
    [...tags].flat().every((text) => tagText.test(text)),
    'The names and values of tags can contain only letters, digits, underscores and dashes.',
  );
  return tags;
}

function checkValue(condition: unknown, message: string): asserts condition {
  check(condition, 'InvalidParameterValue', message);
}
