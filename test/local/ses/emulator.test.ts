import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSendQuotaCommand, SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import type { BusEvent } from '../../../local/eventbridge/event-bus.ts';
import { type Activity, onActivity } from '../../../local/platform/activity.ts';
import { systemClock } from '../../../local/platform/clock.ts';
import { SesEmulator } from '../../../local/ses/emulator.ts';
import type { Mail } from '../../../local/ses/mail.ts';
import { Mailbox } from '../../../local/ses/mailbox.ts';
import { Template } from '../../../local/template/template.ts';

let directory: string;
let mailbox: Mailbox;
let emulator: SesEmulator;
let endpoint: AwsEndpoint;
let client: SESClient;

const template = new Template({ Resources: { Set: { Type: 'AWS::SES::ConfigurationSet' } } }, 'Stack');
const events: BusEvent[] = [];

beforeEach(async () => {
  events.length = 0;
  directory = mkdtempSync(join(tmpdir(), 'mail-'));
  mailbox = new Mailbox(join(directory, 'mails.jsonl'));
  emulator = new SesEmulator(template, mailbox, {
    onEvent: (event) => events.push(event),
    clock: systemClock,
  });
  endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  const credentials = { accessKeyId: 'KEY', secretAccessKey: 'local' };
  endpoint.addCaller(credentials, 'Bark');
  endpoint.mount('ses', (call) => emulator.serve(call));
  client = new SESClient({
    // SES resets a connection that is used for a second mail.
    requestHandler: { httpAgent: { keepAlive: false } },
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
});

afterEach(() => {
  client.destroy();
  endpoint.close();
  rmSync(directory, { recursive: true });
});

interface Content {
  readonly to?: string[];
  readonly cc?: string[];
  readonly bcc?: string[];
  readonly subject?: string;
  readonly text?: string;
  readonly configurationSet?: string;
}

async function sendMail({
  to = ['rex@example.com'],
  cc = [],
  bcc = [],
  subject = 'Woof',
  text = 'Bow wow',
  configurationSet,
}: Content) {
  const { MessageId } = await client.send(
    new SendEmailCommand({
      Source: 'dogs@example.com',
      ConfigurationSetName: configurationSet,
      Destination: { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc },
      Message: { Subject: { Data: subject }, Body: { Text: { Data: text, Charset: 'UTF-8' } } },
    }),
  );
  return MessageId;
}

/** Returns the mails, oldest first. */
function mails(): readonly Mail[] {
  return mailbox.list().emails.toReversed();
}

describe('A sent mail', () => {
  test('is stored unchanged', async () => {
    const before = Math.floor(Date.now() / 1000);
    const messageId = await sendMail({
      to: ['rex@example.com', 'owner+rex@example.com'],
      cc: ['vet@example.com'],
      bcc: ['cat@example.com'],
      subject: 'rex & co: 100% “woof”',
      text: 'Bow\r\nwow 🐕\n',
    });
    expect(mails()).toEqual([
      {
        messageId,
        from: 'dogs@example.com',
        destination: {
          to: ['rex@example.com', 'owner+rex@example.com'],
          cc: ['vet@example.com'],
          bcc: ['cat@example.com'],
        },
        subject: 'rex & co: 100% “woof”',
        body: { text: 'Bow\r\nwow 🐕\n', html: '' },
        at: expect.any(Number),
      },
    ]);
    const [{ at } = { at: 0 }] = mails();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test('can be in HTML', async () => {
    await client.send(
      new SendEmailCommand({
        Source: 'dogs@example.com',
        Destination: { ToAddresses: ['rex@example.com'] },
        Message: { Subject: { Data: 'Woof' }, Body: { Html: { Data: '<p>wow</p>' } } },
      }),
    );
    expect(mails().map(({ body }) => body)).toEqual([{ text: '', html: '<p>wow</p>' }]);
  });

  test('has a unique ID', async () => {
    expect(await sendMail({})).not.toBe(await sendMail({}));
  });

  test('is refused without a recipient', async () => {
    await expect(sendMail({ to: [] })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      message: 'The mail must have a recipient.',
      $metadata: { httpStatusCode: 400 },
    });
    expect(mails()).toEqual([]);
  });

  test.each([
    ['SendRawEmail', new SendRawEmailCommand({ RawMessage: { Data: Buffer.from('woof') } })],
    ['GetSendQuota', new GetSendQuotaCommand({})],
  ] as const)('by %s, an unknown action, is refused', async (action, command) => {
    await expect(client.send(command as SendRawEmailCommand)).rejects.toMatchObject({
      name: 'InvalidAction',
      message: `The local cloud does not support the SES action ${action}.`,
      $metadata: { httpStatusCode: 400 },
    });
    expect(mails()).toEqual([]);
  });

  test('is refused with well-formed XML if the request has no action', async () => {
    const call = { caller: 'Bark', service: 'ses', method: 'POST', path: '/', headers: {} };
    const hostile = await emulator.serve({ ...call, body: Buffer.from('Action=%3Cscript%3E') });
    expect(hostile.status).toBe(400);
    expect(String(hostile.body)).not.toContain('<script>');
    expect((await emulator.serve({ ...call, body: Buffer.from('') })).status).toBe(400);
  });
});

describe('Mail to the mailbox simulator', () => {
  test.each([
    ['bounce@simulator.amazonses.com', 'Email Bounced', { bounce: { bounceType: 'Permanent' } }],
    ['bounce+rex@simulator.amazonses.com', 'Email Bounced', { eventType: 'Bounce' }],
    ['complaint@simulator.amazonses.com', 'Email Complaint Received', { eventType: 'Complaint' }],
  ])('for %s causes the event %s', async (recipient, detailType, detail) => {
    const messageId = await sendMail({ to: ['rex@example.com', recipient], configurationSet: 'Stack-Set' });
    expect(events).toEqual([
      expect.objectContaining({
        source: 'aws.ses',
        'detail-type': detailType,
        detail: expect.objectContaining({
          mail: expect.objectContaining({
            messageId,
            source: 'dogs@example.com',
            destination: ['rex@example.com', recipient],
            tags: { 'ses:configuration-set': ['Stack-Set'] },
          }),
        }),
      }),
    ]);
    expect(events).toMatchObject([{ detail }]);
    expect(JSON.stringify(events)).toContain(`"emailAddress":"${recipient}"`);
  });

  test.each([
    'success@simulator.amazonses.com',
    'bounce@example.com',
    'bounce@simulator.amazonses.com.example',
  ])('does not include mail to %s', async (recipient) => {
    await sendMail({ to: [recipient], configurationSet: 'Stack-Set' });
    expect(events).toEqual([]);
  });

  test('causes events only with a configuration set', async () => {
    await sendMail({ to: ['bounce@simulator.amazonses.com'] });
    expect(events).toEqual([]);
  });

  test('is refused if the template does not have the configuration set', async () => {
    await expect(sendMail({ configurationSet: 'Other' })).rejects.toMatchObject({
      name: expect.stringMatching(/^ConfigurationSetDoesNotExist/),
    });
    expect(mails()).toEqual([]);
  });
});

test('A mail is reported with its ID, its recipients and its subject', async () => {
  const reports: Activity[] = [];
  const stop = onActivity((activity) => reports.push(activity));
  const messageId = await sendMail({ to: ['rex@example.com'], cc: ['owner@example.com'], subject: 'Woof' });
  stop();
  expect(reports).toEqual([
    { type: 'mail', messageId, to: ['rex@example.com', 'owner@example.com'], subject: 'Woof' },
  ]);
});
