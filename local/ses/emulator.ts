import { randomUUID } from 'node:crypto';
import type { Emulator, Page } from '../endpoint/endpoint.ts';
import { escaped, xml } from '../endpoint/query-protocol.ts';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { JsonLines } from '../platform/json-lines.ts';
import { defaultTexts, type ServiceTexts } from '../platform/service-texts.ts';
import type { Template } from '../template/template.ts';
import { mailFailure, namespace } from './failure.ts';
import type { Mail } from './mail.ts';
import { simulatedEventsOf } from './mailbox-simulator.ts';

/** SES on this machine: takes mail by the SDK's own protocol (version 1, the Query protocol), and keeps it. */
export class SesEmulator {
  private readonly kept: JsonLines<Mail>;
  private readonly mails: Mail[];
  private readonly configurationSets: readonly string[];
  private readonly texts: ServiceTexts;
  private readonly onEvent: (event: BusEvent) => void;

  /** @param onEvent receives an event for each mail that comes back: mail to an address of the mailbox simulator */
  constructor(
    template: Template,
    file: string,
    { onEvent, texts = defaultTexts }: { onEvent: (event: BusEvent) => void; texts?: ServiceTexts },
  ) {
    this.texts = texts;
    this.kept = new JsonLines(file);
    this.mails = this.kept.read();
    this.configurationSets = template
      .ofType('AWS::SES::ConfigurationSet')
      .map((resource) => template.idOf(resource));
    this.onEvent = onEvent;
  }

  readonly serve: Emulator = async ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const action = parameters.get('Action');
    if (action !== 'SendEmail') return mailFailure(400, 'InvalidAction', `This machine has no ${action}.`);
    const configurationSet = parameters.get('ConfigurationSetName');
    if (configurationSet !== null && !this.configurationSets.includes(configurationSet))
      return mailFailure(
        400,
        'ConfigurationSetDoesNotExist',
        `Configuration set <${configurationSet}> does not exist.`,
      );
    const mail = mailOf(parameters);
    if (mail.destination.to.length + mail.destination.cc.length + mail.destination.bcc.length === 0)
      return mailFailure(400, 'InvalidParameterValue', 'A mail needs a recipient.');
    this.kept.append(mail);
    this.mails.push(mail);
    if (configurationSet !== null)
      for (const event of simulatedEventsOf(mail, configurationSet)) this.onEvent(event);
    return xml(
      200,
      `<SendEmailResponse xmlns="${namespace}"><SendEmailResult><MessageId>${mail.messageId}</MessageId></SendEmailResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></SendEmailResponse>`,
    );
  };

  readonly store: Page = () => ({
    contentType: 'application/json',
    body: JSON.stringify({ emails: this.mails }),
  });

  readonly inbox: Page = () => ({
    contentType: 'text/html; charset=utf-8',
    body: inboxPage(this.mails.toReversed(), this.texts),
  });
}

function mailOf(parameters: URLSearchParams): Mail {
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
    at: Math.floor(Date.now() / 1000),
  };
}

function inboxPage(mails: readonly Mail[], { name, emptyInbox }: ServiceTexts): string {
  const known = new Set<string>();
  const articles = mails.map(
    ({ messageId, destination, subject, from, body, at }) => `<article id="${escaped(messageId)}">
<h2>${escaped(subject)}</h2>
<p>${escaped(from)} to ${[...destination.to, ...destination.cc, ...destination.bcc].map((address) => recipient(address, known)).join(', ')}, <time>${new Date(at * 1000).toISOString()}</time></p>
<pre>${escaped(body.text)}</pre>
</article>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Inbox of the ${escaped(name)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; padding: .5rem 1rem; margin: 1rem 0 }
span { scroll-margin-top: 5rem }
article:target, article:has(:target) { border: 2px solid light-dark(#a5461a, #f0a079) }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 0 } p { margin: 0; opacity: .75 } pre { white-space: pre-wrap; font: inherit }
</style>
<main>
<h1>Inbox</h1>
<p>${mails.length === 0 ? escaped(emptyInbox) : summary(mails.length)}</p>
${articles.join('\n')}
</main>
</html>
`;
}

/** An address, which the newest mail to it can be linked by: `#rex@example.com`. */
function recipient(address: string, known: Set<string>): string {
  if (known.has(address)) return escaped(address);
  known.add(address);
  return `<span id="${escaped(address)}">${escaped(address)}</span>`;
}

function summary(count: number): string {
  return `${count === 1 ? 'One mail' : `${count} mails, the newest first`}. Reload to see new ones.`;
}
