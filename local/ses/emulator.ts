import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, xml, xmlError, xmlNamespaces } from '../endpoint/response.ts';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';
import type { Template } from '../template/template.ts';
import { type Mail, recipientsOf } from './mail.ts';
import type { Mailbox } from './mailbox.ts';
import { eventsOf } from './mailbox-simulator.ts';
import { addressesIn, parseRawMessage } from './raw-message.ts';
import { type SuppressionList, suppressionReasons } from './suppression-list.ts';

/** The objects that the emulator uses. */
interface Dependencies {
  /** Receives the events of bounces and complaints. Only mail with a configuration set causes them. */
  readonly onEvent: (event: BusEvent) => void;
  readonly suppressionList: Pick<SuppressionList, 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * The limits of a mail.
 *
 * @see {@link https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html SendRawEmail}
 */
const limits = { recipients: 50, messageBytes: 10 * 1024 * 1024, lineLength: 1000 };

/** The name or the value of a tag. @see {@link https://docs.aws.amazon.com/ses/latest/APIReference/API_MessageTag.html} */
const tagText = /^[A-Za-z0-9_-]{1,255}$/;

/**
 * The emulator of API version 1 of SES (the AWS query protocol). It supports SendEmail and SendRawEmail, and puts mail into a mailbox
 * without delivering it.
 */
export class SesEmulator {
  private readonly mailbox: Mailbox;
  /** The reasons for which each configuration set uses the suppression list, by the name of the set. */
  private suppressedReasons: ReadonlyMap<string, readonly string[]> = new Map();
  /** The names of the configuration sets that send no mail. */
  private pausedSets: ReadonlySet<string> = new Set();
  private readonly dependencies: Dependencies;

  constructor(template: Template, mailbox: Mailbox, dependencies: Dependencies) {
    this.mailbox = mailbox;
    this.dependencies = dependencies;
    this.deploy(template);
  }

  /** Accepts the configuration sets of a template from now on. */
  deploy(template: Template): void {
    const sets = template.ofType('AWS::SES::ConfigurationSet');
    const paused = sets.filter(({ properties }) => properties.SendingOptions?.SendingEnabled === false);
    this.pausedSets = new Set(paused.map((resource) => template.idOf(resource)));
    this.suppressedReasons = new Map(
      sets.map((resource) => {
        // The account uses its suppression list for both reasons, as new accounts do.
        const { SuppressedReasons = suppressionReasons } = resource.properties.SuppressionOptions ?? {};
        return [template.idOf(resource), SuppressedReasons];
      }),
    );
  }

  readonly serve: Emulator = async ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const action = parameters.get('Action') ?? '';
    const parse = actions[action];
    if (!parse)
      return sesError('InvalidAction', `The local cloud does not support the SES action ${action}.`);
    const configurationSet = parameters.get('ConfigurationSetName');
    if (configurationSet !== null && !this.suppressedReasons.has(configurationSet))
      return sesError(
        'ConfigurationSetDoesNotExist',
        `Configuration set <${configurationSet}> does not exist.`,
      );
    if (this.pausedSets.has(configurationSet ?? ''))
      return sesError(
        'ConfigurationSetSendingPausedException',
        `Email sending is disabled for the configuration set <${configurationSet}>.`,
      );
    const at = Math.floor(this.dependencies.clock.now() / 1000);
    const mail = parse(parameters, { messageId: randomUUID(), at });
    const error = typeof mail === 'string' ? mail : errorIn(mail, parameters);
    if (typeof mail === 'string' || error !== undefined)
      return sesError('InvalidParameterValue', error ?? '');
    this.accept(mail, configurationSet, tagsIn(parameters));
    return xml(
      200,
      `<${action}Response xmlns="${xmlNamespaces.ses}"><${action}Result><MessageId>${mail.messageId}</MessageId></${action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`,
    );
  };

  /**
   * Puts a mail into the mailbox, and sends its events. SES accepts a mail to a suppressed address, but does not send it to this address.
   *
   * @see {@link https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list.html The suppression list}
   */
  private accept(mail: Mail, configurationSet: string | null, tags: ReadonlyMap<string, string>): void {
    const { onEvent, suppressionList } = this.dependencies;
    const reasons = this.suppressedReasons.get(configurationSet ?? '') ?? suppressionReasons;
    const isSuppressed = (address: string) => reasons.includes(suppressionList.find(address)?.reason ?? '');
    const isReached = (address: string) => !isSuppressed(address);
    const { to, cc, bcc } = mail.destination;
    const reached = {
      ...mail,
      destination: { to: to.filter(isReached), cc: cc.filter(isReached), bcc: bcc.filter(isReached) },
    };
    const { messageId, subject } = mail;
    if (recipientsOf(reached).length > 0) {
      this.mailbox.add(reached);
      report({ type: 'mail', messageId, to: recipientsOf(reached), subject });
    }
    if (configurationSet === null) return;
    for (const event of eventsOf(mail, { configurationSet, tags, isSuppressed })) onEvent(event);
  }
}

/** @see {@link https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html#API_SendRawEmail_Errors The errors of SES} */
function sesError(code: string, message: string): AwsResponse {
  return xmlError('ses', 400, code, message);
}

type Identified = Pick<Mail, 'messageId' | 'at'>;

/** Returns the mail of a request, or the message of an error. */
type Parse = (parameters: URLSearchParams, identified: Identified) => Mail | string;

const sendEmail: Parse = (parameters, identified) => ({
  ...identified,
  from: parameters.get('Source') ?? '',
  destination: {
    to: members(parameters, 'Destination.ToAddresses'),
    cc: members(parameters, 'Destination.CcAddresses'),
    bcc: members(parameters, 'Destination.BccAddresses'),
  },
  subject: parameters.get('Message.Subject.Data') ?? '',
  body: {
    text: parameters.get('Message.Body.Text.Data') ?? '',
    html: parameters.get('Message.Body.Html.Data') ?? '',
  },
});

/** The parameter `Destinations` decides about the recipients. Without it, the headers do. */
const sendRawEmail: Parse = (parameters, identified) => {
  const data = Buffer.from(parameters.get('RawMessage.Data') ?? '', 'base64');
  if (data.length > limits.messageBytes)
    return `Message length is more than ${limits.messageBytes} bytes long: '${data.length}'.`;
  if (
    data
      .toString('latin1')
      .split('\n')
      .some((line) => line.length >= limits.lineLength)
  )
    return `Lines must not have more than ${limits.lineLength} characters.`;
  const message = parseRawMessage(data);
  const from = addressesIn(message?.headers.get('from'))[0] ?? parameters.get('Source');
  if (!message || !from) return "Missing required header 'From'.";
  const given = members(parameters, 'Destinations');
  const inHeader = (name: string) => (given.length > 0 ? [] : addressesIn(message.headers.get(name)));
  const unsubscribe = message.headers.get('list-unsubscribe');
  return {
    ...identified,
    from,
    destination: { to: [...given, ...inHeader('to')], cc: inHeader('cc'), bcc: inHeader('bcc') },
    subject: message.headers.get('subject') ?? '',
    body: message.body,
    ...(unsubscribe !== undefined && { unsubscribe }),
  };
};

const actions: Readonly<Record<string, Parse>> = { SendEmail: sendEmail, SendRawEmail: sendRawEmail };

/** Returns the members of a list parameter. */
function members(parameters: URLSearchParams, name: string): string[] {
  return [...parameters].filter(([key]) => key.startsWith(`${name}.member.`)).map(([, value]) => value);
}

/** Returns the tags of a request. */
function tagsIn(parameters: URLSearchParams): Map<string, string> {
  const names = [...parameters].filter(([key]) => /^Tags\.member\.\d+\.Name$/.test(key));
  return new Map(
    names.map(([key, name]) => [name, parameters.get(key.replace(/Name$/, 'Value')) ?? ''] as const),
  );
}

/** Returns the message of the error in a mail or in its tags, if there is one. */
function errorIn(mail: Mail, parameters: URLSearchParams): string | undefined {
  const recipients = recipientsOf(mail).length;
  if (recipients === 0) return 'The mail must have a recipient.';
  if (recipients > limits.recipients) return `Recipient count exceeds ${limits.recipients}.`;
  const texts = [...tagsIn(parameters)].flat();
  return texts.every((text) => tagText.test(text))
    ? undefined
    : 'The names and values of tags must have letters, digits, underscores and dashes.';
}
