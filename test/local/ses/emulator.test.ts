import * as v1 from '@aws-sdk/client-ses';
import * as v2 from '@aws-sdk/client-sesv2';
import type { BusEvent } from '../../../local/eventbridge/event-bus.ts';
import { SesEmulator } from '../../../local/ses/emulator.ts';
import { Mailbox } from '../../../local/ses/mailbox.ts';
import { serveSuppressionList } from '../../../local/ses/suppression-api.ts';
import { SuppressionList } from '../../../local/ses/suppression-list.ts';
import { Template } from '../../../local/template/template.ts';
import { type Call, conformance, exactly, type Send, type Step, sender } from '../../support/conformance.ts';
import { useTestCloud } from '../../support/emulators.ts';

const now = '2026-11-21T12:00:00Z';
const cloud = useTestCloud(now);
let mailbox: Mailbox;
let emulator: SesEmulator;
let events: BusEvent[];
/** Sends calls to the suppression list, which only the second version of the API has. */
let sendV2: Send;
/** The IDs of the sent mails, oldest first. */
let ids: unknown[];

const setOf = (Properties: object) => ({ Type: 'AWS::SES::ConfigurationSet', Properties });
const template = new Template(
  {
    Resources: {
      Set: setOf({}),
      OnlyComplaints: setOf({ SuppressionOptions: { SuppressedReasons: ['COMPLAINT'] } }),
      Paused: setOf({ SendingOptions: { SendingEnabled: false } }),
    },
  },
  'Stack',
);

async function open(): Promise<Send> {
  [events, ids] = [[], []];
  mailbox = new Mailbox(cloud.file('mails.jsonl'));
  const suppressionList = cloud.use(new SuppressionList(cloud.file('suppressed.sqlite')));
  const onEvent = (event: BusEvent) => events.push(event);
  emulator = new SesEmulator(template, mailbox, { onEvent, suppressionList, clock: cloud.clock });
  const list = serveSuppressionList(suppressionList, cloud.clock);
  sendV2 = sender(await cloud.client(v2.SESv2Client, 'sesv2', list), v2);
  // SES resets a connection that is used for a second mail.
  const requestHandler = { requestHandler: { httpAgent: { keepAlive: false } } };
  const send = sender(await cloud.client(v1.SESClient, 'ses', emulator.serve, requestHandler), v1);
  return async <Response>(operation: string, input: object) => {
    const response = await send<{ MessageId?: string }>(operation, input);
    ids.push(response.MessageId);
    return response as Response;
  };
}

interface Content {
  readonly to?: string[];
  readonly cc?: string[];
  readonly bcc?: string[];
  readonly subject?: string;
  readonly body?: object;
  readonly set?: string | undefined;
}

/** Sends a mail to rex@example.com. */
const sent = (
  { to = ['rex@example.com'], cc, bcc, subject = 'Woof', body = { Text: { Data: 'Bow wow' } }, set }: Content,
  expected?: object,
): Call => [
  'SendEmail',
  {
    Source: 'dogs@example.com',
    ConfigurationSetName: set,
    Destination: { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc },
    Message: { Subject: { Data: subject }, Body: body },
  },
  expected,
];

/** Sends a message in the Internet Message Format to rex@example.com. */
const sentRaw = (lines: readonly string[], more: object = {}, expected?: object): Call => [
  'SendRawEmail',
  { Destinations: ['rex@example.com'], RawMessage: { Data: Buffer.from(lines.join('\r\n')) }, ...more },
  expected,
];

/** Expects the stored mails, oldest first. */
const stored =
  (...mails: object[]) =>
  () => {
    const { emails } = mailbox.list();
    expect(emails).toHaveLength(mails.length);
    expect(emails.toReversed()).toMatchObject(mails);
  };
const reported =
  (...expected: object[]) =>
  () => {
    expect(events).toHaveLength(expected.length);
    expect(events).toMatchObject(expected);
  };
const refusal = (refused: unknown, message: unknown = expect.any(String)) => ({
  refused,
  message,
  status: 400,
});
const mailOf = (to: string[], more: object = {}) => ({
  messageId: ids.at(-1),
  from: 'dogs@example.com',
  destination: { to, cc: [], bcc: [] },
  subject: 'Woof',
  at: Date.parse(now) / 1000,
  ...more,
});

const bounce = 'bounce@simulator.amazonses.com';
const set = 'Stack-Set';
/** A mail to an address of the mailbox simulator, and the event that it causes. */
const simulated = (recipient: string, detailType: string, detail: object): Step[] => [
  sent({ to: ['rex@example.com', recipient], set }),
  () =>
    reported({
      source: 'aws.ses',
      'detail-type': detailType,
      detail: {
        ...detail,
        mail: {
          messageId: ids[0],
          source: 'dogs@example.com',
          destination: ['rex@example.com', recipient],
          tags: { 'ses:configuration-set': [set] },
        },
      },
    })(),
  () => expect(JSON.stringify(events)).toContain(`"emailAddress":"${recipient}"`),
];

const headers = [
  'From: Dogs <dogs@example.com>',
  'To: rex@example.com,',
  ' Jane <jane@example.com>',
  'Subject: Woof',
];
const invalid = (message?: string) => refusal('InvalidParameterValue', message);
const encodings = {
  base64: ['Content-Transfer-Encoding: base64', '', Buffer.from('Bow\r\nwow 🐕').toString('base64')],
  'quoted-printable': ['content-transfer-encoding: Quoted-Printable', '', 'Bow=0D=0Awow =F0=9F=90=', '=95'],
  '8bit': ['', 'Bow', 'wow 🐕'],
};

const suppressed = (EmailAddress: string, Reason = 'BOUNCE'): Call => [
  'PutSuppressedDestination',
  { EmailAddress, Reason },
];
const suppress =
  (...parameters: Parameters<typeof suppressed>): Step =>
  () => {
    const [operation, input] = suppressed(...parameters);
    return sendV2(operation, input);
  };

conformance('https://docs.aws.amazon.com/ses/latest/APIReference/', open, {
  'A mail is stored unchanged': [
    sent(
      {
        to: ['rex@example.com', 'owner+rex@example.com'],
        cc: ['vet@example.com'],
        bcc: ['cat@example.com'],
        subject: 'rex & co: 100% “woof”',
        body: { Text: { Data: 'Bow\r\nwow 🐕\n', Charset: 'UTF-8' } },
      },
      { MessageId: expect.any(String) },
    ),
    () =>
      expect(mailbox.list().emails).toEqual([
        mailOf([], {
          destination: {
            to: ['rex@example.com', 'owner+rex@example.com'],
            cc: ['vet@example.com'],
            bcc: ['cat@example.com'],
          },
          subject: 'rex & co: 100% “woof”',
          body: { text: 'Bow\r\nwow 🐕\n', html: '' },
        }),
      ]),
  ],
  'A mail can be in HTML, and has a unique ID': [
    sent({ body: { Html: { Data: '<p>wow</p>' } } }),
    sent({}),
    stored({ body: { text: '', html: '<p>wow</p>' } }, {}),
    () => expect(ids[0]).not.toBe(ids[1]),
  ],
  'A mail is refused without a recipient, or with an unknown or paused configuration set': [
    sent({ to: [] }, invalid('The mail must have a recipient.')),
    sent({ set: 'Stack-Paused' }, refusal('ConfigurationSetSendingPausedException')),
    sent({ set: 'Other' }, refusal(expect.stringMatching(/^ConfigurationSetDoesNotExist/))),
    stored(),
  ],
  'Another action is refused': [
    [
      'GetSendQuota',
      {},
      refusal('InvalidAction', 'The local cloud does not support the SES action GetSendQuota.'),
    ],
  ],
  [`${bounce} causes a permanent bounce`]: simulated(bounce, 'Email Bounced', {
    bounce: { bounceType: 'Permanent' },
  }),
  'bounce+rex@simulator.amazonses.com causes a bounce': simulated(
    'bounce+rex@simulator.amazonses.com',
    'Email Bounced',
    { eventType: 'Bounce' },
  ),
  'suppressionlist@simulator.amazonses.com causes a bounce of its own type': simulated(
    'suppressionlist@simulator.amazonses.com',
    'Email Bounced',
    { bounce: { bounceSubType: 'Suppressed', bounceType: 'Permanent' } },
  ),
  'complaint@simulator.amazonses.com causes a complaint': simulated(
    'complaint@simulator.amazonses.com',
    'Email Complaint Received',
    { eventType: 'Complaint' },
  ),
  'Mail to other addresses, or without a configuration set, causes no event': [
    sent({ to: ['success@simulator.amazonses.com'], set }),
    sent({ to: ['bounce@example.com'], set }),
    sent({ to: ['bounce@simulator.amazonses.com.example'], set }),
    sent({ to: [bounce] }),
    reported(),
  ],
  ...Object.fromEntries(
    Object.entries(encodings).map(([encoding, rest]) => [
      `A raw message in ${encoding} is stored with its text`,
      [
        sentRaw([...headers, ...rest]),
        () =>
          expect(mailbox.list().emails).toEqual([
            mailOf(['rex@example.com'], { body: { text: 'Bow\nwow 🐕', html: '' } }),
          ]),
      ],
    ]),
  ),
  'A raw message in HTML is stored as HTML, with its unsubscribe link': [
    sentRaw([
      ...headers,
      'Content-Type: text/html; charset=utf-8',
      'List-Unsubscribe: <https://dogs.example/u>',
      '',
      '<p>wow</p>',
    ]),
    stored({ body: { text: '', html: '<p>wow</p>' }, unsubscribe: '<https://dogs.example/u>' }),
  ],
  'A raw message goes to the recipients in its header fields if the call names none': [
    sentRaw([...headers, 'Cc: vet@example.com', '', 'wow'], { Destinations: undefined }),
    stored({
      destination: { to: ['rex@example.com', 'jane@example.com'], cc: ['vet@example.com'], bcc: [] },
    }),
  ],
  'A raw message is refused if it is incomplete': [
    sentRaw(['woof'], {}, invalid("Missing required header 'From'.")),
    sentRaw(['Subject: Woof', '', 'wow'], {}, invalid("Missing required header 'From'.")),
    sentRaw(
      ['From: a@example.com', '', 'wow'],
      { Destinations: undefined },
      invalid('The mail must have a recipient.'),
    ),
    stored(),
  ],
  'A raw message is refused if it exceeds a limit': [
    sentRaw(
      [...headers, ''],
      { Destinations: Array.from({ length: 51 }, (_, i) => `rex-${i}@example.com`) },
      invalid(),
    ),
    sentRaw([...headers, '', 'x'.repeat(1000)], {}, invalid()),
    sentRaw([...headers, '', ...Array(11_000).fill('x'.repeat(998))], {}, invalid()),
    sentRaw([...headers, ''], { Tags: [{ Name: 'dog', Value: 'a b' }] }, invalid()),
    stored(),
  ],
  'A raw message passes its tags to the events': [
    sentRaw([...headers, '', 'wow'], {
      Destinations: [bounce],
      Tags: [{ Name: 'dog', Value: 'rex' }],
      ConfigurationSetName: set,
    }),
    reported({ detail: { mail: { tags: { dog: ['rex'], 'ses:configuration-set': [set] } } } }),
  ],
  'A suppressed address gets no mail: SES accepts the mail, sends it to the others, and reports a bounce': [
    suppress('rex@example.com'),
    sent({ to: ['Rex@example.com', 'jane@example.com'], set }),
    stored({ destination: { to: ['jane@example.com'] } }),
    reported({
      'detail-type': 'Email Bounced',
      detail: {
        bounce: {
          bounceType: 'Permanent',
          bounceSubType: 'OnAccountSuppressionList',
          bouncedRecipients: [{ emailAddress: 'Rex@example.com' }],
        },
      },
    }),
    sent({}),
    stored({}),
  ],
  'A configuration set uses the suppression list for its reasons only': [
    suppress('rex@example.com', 'BOUNCE'),
    sent({ set: 'Stack-OnlyComplaints' }),
    stored({}),
    reported(),
    suppress('rex@example.com', 'COMPLAINT'),
    sent({ set: 'Stack-OnlyComplaints' }),
    stored({}),
    reported({}),
  ],
});

const found = (expected: object): Call => [
  'GetSuppressedDestination',
  { EmailAddress: 'REX@example.com' },
  expected,
];
const deleted = (expected?: object): Call => [
  'DeleteSuppressedDestination',
  { EmailAddress: 'rex@example.com' },
  expected,
];
const badRequest = { refused: 'BadRequestException' };

conformance(
  'https://docs.aws.amazon.com/ses/latest/APIReference-V2/',
  async () => open().then(() => sendV2),
  {
    'An address is on the suppression list until it is deleted': [
      suppressed('rex@example.com'),
      found(
        exactly({
          SuppressedDestination: {
            EmailAddress: 'rex@example.com',
            Reason: 'BOUNCE',
            LastUpdateTime: new Date(now),
          },
        }),
      ),
      deleted(),
      found({ refused: 'NotFoundException' }),
      deleted({
        refused: 'NotFoundException',
        message: 'Email address rex@example.com does not exist on your suppression list.',
      }),
    ],
    'The suppression list is divided into pages': [
      ...['c', 'a', 'b'].map((name) => suppressed(`${name}@example.com`, 'COMPLAINT')),
      async (send) => {
        const first = await send('ListSuppressedDestinations', { PageSize: 2 });
        const summaries = (...names: string[]) => ({
          SuppressedDestinationSummaries: names.map((name) => ({ EmailAddress: `${name}@example.com` })),
        });
        expect(first).toMatchObject(summaries('a', 'b'));
        const second = await send('ListSuppressedDestinations', { PageSize: 2, NextToken: first.NextToken });
        expect(second).toMatchObject(summaries('c'));
        expect(second.NextToken).toBeUndefined();
      },
    ],
    'An invalid call is refused': [
      ['ListSuppressedDestinations', { PageSize: 0 }, badRequest],
      ['PutSuppressedDestination', { EmailAddress: 'rex', Reason: 'BOUNCE' }, badRequest],
      ['PutSuppressedDestination', { EmailAddress: 'rex@example.com', Reason: 'OTHER' }, badRequest],
    ],
  },
);

test('A mail is reported with its ID, its recipients and its subject', async () => {
  const send = await open();
  const reports = cloud.activities();
  const [operation, input] = sent({ cc: ['owner@example.com'] });
  await send(operation, input);
  const to = ['rex@example.com', 'owner@example.com'];
  expect(reports).toEqual([{ type: 'mail', messageId: ids[0], to, subject: 'Woof' }]);
});

test('A request without an action is refused with well-formed XML', async () => {
  await open();
  const call = { caller: 'Bark', service: 'ses', method: 'POST', path: '/', headers: {} };
  const hostile = await emulator.serve({ ...call, body: Buffer.from('Action=%3Cscript%3E') });
  expect(hostile.status).toBe(400);
  expect(String(hostile.body)).not.toContain('<script>');
  expect((await emulator.serve({ ...call, body: Buffer.from('') })).status).toBe(400);
});
