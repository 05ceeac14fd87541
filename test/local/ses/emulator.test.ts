import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSendQuotaCommand, SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  ListSuppressedDestinationsCommand,
  PutSuppressedDestinationCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import type { BusEvent } from '../../../local/eventbridge/event-bus.ts';
import { type Activity, onActivity } from '../../../local/platform/activity.ts';
import { systemClock } from '../../../local/platform/clock.ts';
import { SesEmulator } from '../../../local/ses/emulator.ts';
import type { Mail } from '../../../local/ses/mail.ts';
import { Mailbox } from '../../../local/ses/mailbox.ts';
import { serveSuppressionList } from '../../../local/ses/suppression-api.ts';
import { SuppressionList } from '../../../local/ses/suppression-list.ts';
import { Template } from '../../../local/template/template.ts';

let directory: string;
let mailbox: Mailbox;
let emulator: SesEmulator;
let endpoint: AwsEndpoint;
let client: SESClient;
let suppressionList: SuppressionList;
let v2: SESv2Client;

const template = new Template(
  {
    Resources: {
      Set: { Type: 'AWS::SES::ConfigurationSet' },
      OnlyComplaints: {
        Type: 'AWS::SES::ConfigurationSet',
        Properties: { SuppressionOptions: { SuppressedReasons: ['COMPLAINT'] } },
      },
      Paused: {
        Type: 'AWS::SES::ConfigurationSet',
        Properties: { SendingOptions: { SendingEnabled: false } },
      },
    },
  },
  'Stack',
);
const events: BusEvent[] = [];

beforeEach(async () => {
  events.length = 0;
  directory = mkdtempSync(join(tmpdir(), 'mail-'));
  mailbox = new Mailbox(join(directory, 'mails.jsonl'));
  suppressionList = new SuppressionList(join(directory, 'suppressed.sqlite'));
  emulator = new SesEmulator(template, mailbox, {
    onEvent: (event) => events.push(event),
    suppressionList,
    clock: systemClock,
  });
  endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  const credentials = { accessKeyId: 'KEY', secretAccessKey: 'local' };
  endpoint.addCaller(credentials, 'Bark');
  endpoint.mount('ses', (call) => emulator.serve(call));
  endpoint.mount('sesv2', serveSuppressionList(suppressionList, { now: () => 1_795_262_400_000 }));
  client = new SESClient({
    // SES resets a connection that is used for a second mail.
    requestHandler: { httpAgent: { keepAlive: false } },
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
  v2 = new SESv2Client({ endpoint: endpoint.url, region: 'us-east-1', credentials, maxAttempts: 1 });
});

afterEach(() => {
  client.destroy();
  v2.destroy();
  suppressionList.stop();
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

  test.each([['GetSendQuota', new GetSendQuotaCommand({})]] as const)(
    'by %s, an unknown action, is refused',
    async (action, command) => {
      await expect(client.send(command)).rejects.toMatchObject({
        name: 'InvalidAction',
        message: `The local cloud does not support the SES action ${action}.`,
        $metadata: { httpStatusCode: 400 },
      });
      expect(mails()).toEqual([]);
    },
  );

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
    [
      'suppressionlist@simulator.amazonses.com',
      'Email Bounced',
      { bounce: { bounceSubType: 'Suppressed', bounceType: 'Permanent' } },
    ],
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

  test('is refused if the configuration set sends no mail', async () => {
    await expect(sendMail({ configurationSet: 'Stack-Paused' })).rejects.toMatchObject({
      name: 'ConfigurationSetSendingPausedException',
    });
    expect(mails()).toEqual([]);
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

/** Sends a message in the Internet Message Format. */
function sendRaw(
  lines: readonly string[],
  { to = ['rex@example.com'], tags = {}, configurationSet }: RawContent = {},
) {
  return client.send(
    new SendRawEmailCommand({
      ...(to.length > 0 && { Destinations: to }),
      RawMessage: { Data: Buffer.from(lines.join('\r\n')) },
      Tags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
      ConfigurationSetName: configurationSet,
    }),
  );
}

interface RawContent {
  readonly to?: string[];
  readonly tags?: Record<string, string>;
  readonly configurationSet?: string;
}

describe('A raw message', () => {
  const headers = [
    'From: Dogs <dogs@example.com>',
    'To: rex@example.com,',
    ' Jane <jane@example.com>',
    'Subject: Woof',
  ];

  test.each([
    ['base64', ['Content-Transfer-Encoding: base64', '', Buffer.from('Bow\r\nwow 🐕').toString('base64')]],
    [
      'quoted-printable',
      ['content-transfer-encoding: Quoted-Printable', '', 'Bow=0D=0Awow =F0=9F=90=', '=95'],
    ],
    ['8bit', ['', 'Bow', 'wow 🐕']],
  ])('in %s is stored with its text', async (_, rest) => {
    const { MessageId } = await sendRaw([...headers, ...rest]);
    expect(mails()).toEqual([
      {
        messageId: MessageId,
        from: 'dogs@example.com',
        destination: { to: ['rex@example.com'], cc: [], bcc: [] },
        subject: 'Woof',
        body: { text: 'Bow\nwow 🐕', html: '' },
        at: expect.any(Number),
      },
    ]);
  });

  test('in HTML is stored as HTML, with its unsubscribe link', async () => {
    const more = ['Content-Type: text/html; charset=utf-8', 'List-Unsubscribe: <https://dogs.example/u>'];
    await sendRaw([...headers, ...more, '', '<p>wow</p>']);
    expect(mails()).toMatchObject([
      { body: { text: '', html: '<p>wow</p>' }, unsubscribe: '<https://dogs.example/u>' },
    ]);
  });

  test('goes to the recipients in its header fields if the call names none', async () => {
    await sendRaw([...headers, 'Cc: vet@example.com', '', 'wow'], { to: [] });
    expect(mails()).toMatchObject([
      { destination: { to: ['rex@example.com', 'jane@example.com'], cc: ['vet@example.com'], bcc: [] } },
    ]);
  });

  test.each<[string, string, string[], RawContent]>([
    ['a header', "Missing required header 'From'.", ['woof'], {}],
    ['a sender', "Missing required header 'From'.", ['Subject: Woof', '', 'wow'], {}],
    ['a recipient', 'The mail must have a recipient.', ['From: a@example.com', '', 'wow'], { to: [] }],
  ])('is refused without %s', async (_, message, lines, content) => {
    await expect(sendRaw(lines, content)).rejects.toMatchObject({ name: 'InvalidParameterValue', message });
    expect(mails()).toEqual([]);
  });

  test.each<[string, string[], RawContent]>([
    ['51 recipients', [], { to: Array.from({ length: 51 }, (_, i) => `rex-${i}@example.com`) }],
    ['a line of 1000 characters', ['x'.repeat(1000)], {}],
    ['more than 10 MB', Array(11_000).fill('x'.repeat(998)), {}],
    ['an invalid tag', [], { tags: { dog: 'a b' } }],
  ])('is refused with %s', async (_, body, content) => {
    await expect(sendRaw([...headers, '', ...body], content)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
    expect(mails()).toEqual([]);
  });

  test('passes its tags to the events', async () => {
    const more = { tags: { dog: 'rex' }, configurationSet: 'Stack-Set' };
    await sendRaw([...headers, '', 'wow'], { to: ['bounce@simulator.amazonses.com'], ...more });
    expect(events).toMatchObject([
      { detail: { mail: { tags: { dog: ['rex'], 'ses:configuration-set': ['Stack-Set'] } } } },
    ]);
  });
});

const suppress = (address: string, Reason: 'BOUNCE' | 'COMPLAINT' = 'BOUNCE') =>
  v2.send(new PutSuppressedDestinationCommand({ EmailAddress: address, Reason }));

describe('The suppression list', () => {
  const updated = new Date(1_795_262_400_000);

  test('contains the addresses that were put on it, until they are deleted', async () => {
    await suppress('rex@example.com');
    const get = new GetSuppressedDestinationCommand({ EmailAddress: 'REX@example.com' });
    const { SuppressedDestination } = await v2.send(get);
    expect(SuppressedDestination).toEqual({
      EmailAddress: 'rex@example.com',
      Reason: 'BOUNCE',
      LastUpdateTime: updated,
    });
    await v2.send(new DeleteSuppressedDestinationCommand({ EmailAddress: 'rex@example.com' }));
    await expect(v2.send(get)).rejects.toMatchObject({ name: 'NotFoundException' });
  });

  test('refuses to delete an address that is not on it', async () => {
    const command = new DeleteSuppressedDestinationCommand({ EmailAddress: 'rex@example.com' });
    await expect(v2.send(command)).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Email address rex@example.com does not exist on your suppression list.',
    });
  });

  test('returns its addresses page by page', async () => {
    for (const name of ['c', 'a', 'b']) await suppress(`${name}@example.com`, 'COMPLAINT');
    const first = await v2.send(new ListSuppressedDestinationsCommand({ PageSize: 2 }));
    const second = await v2.send(
      new ListSuppressedDestinationsCommand({ PageSize: 2, NextToken: first.NextToken }),
    );
    const addressesOf = ({ SuppressedDestinationSummaries = [] }: typeof first) =>
      SuppressedDestinationSummaries.map(({ EmailAddress }) => EmailAddress);
    expect([first, second].map(addressesOf)).toEqual([['a@example.com', 'b@example.com'], ['c@example.com']]);
    expect(second.NextToken).toBeUndefined();
  });

  test.each([
    ['a page size of 0', new ListSuppressedDestinationsCommand({ PageSize: 0 })],
    ['no address', new PutSuppressedDestinationCommand({ EmailAddress: 'rex', Reason: 'BOUNCE' })],
    [
      'an unknown reason',
      new PutSuppressedDestinationCommand({ EmailAddress: 'rex@example.com', Reason: 'OTHER' as 'BOUNCE' }),
    ],
  ])('refuses %s', async (_, command) => {
    await expect(v2.send(command as PutSuppressedDestinationCommand)).rejects.toMatchObject({
      name: 'BadRequestException',
    });
  });

  test('makes SES accept a mail, send it to the other recipients only, and report a bounce', async () => {
    await suppress('rex@example.com');
    await sendMail({ to: ['Rex@example.com', 'jane@example.com'], configurationSet: 'Stack-Set' });
    expect(mails()).toMatchObject([{ destination: { to: ['jane@example.com'] } }]);
    expect(events).toMatchObject([
      {
        'detail-type': 'Email Bounced',
        detail: {
          bounce: {
            bounceType: 'Permanent',
            bounceSubType: 'OnAccountSuppressionList',
            bouncedRecipients: [{ emailAddress: 'Rex@example.com' }],
          },
        },
      },
    ]);
    await sendMail({ to: ['rex@example.com'] });
    expect(mails()).toHaveLength(1);
  });

  test('has no effect on a configuration set that does not use it for this reason', async () => {
    await suppress('rex@example.com', 'BOUNCE');
    await sendMail({ configurationSet: 'Stack-OnlyComplaints' });
    expect([mails().length, events]).toEqual([1, []]);
    await suppress('rex@example.com', 'COMPLAINT');
    await sendMail({ configurationSet: 'Stack-OnlyComplaints' });
    expect([mails().length, events.length]).toEqual([1, 1]);
  });
});
