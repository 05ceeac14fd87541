import { existsSync, symlinkSync, unlinkSync } from 'node:fs';
import * as v1 from '@aws-sdk/client-ses';
import * as v2 from '@aws-sdk/client-sesv2';
import type { BusEvent } from '../../eventbridge/event-bus.ts';
import { SesEmulator } from '../../ses/emulator.ts';
import { Mailbox } from '../../ses/mailbox.ts';
import { serveSuppressionList } from '../../ses/suppression-list.ts';
import { Template } from '../../template/template.ts';
import { type Call, conformance, exactly, type Send, type Step, sender } from '../support/conformance.ts';
import { useTestCloud } from '../support/emulators.ts';

const now = '2026-11-21T12:00:00Z';
const cloud = useTestCloud(now);
let mailbox: Mailbox;
let emulator: SesEmulator;
let events: BusEvent[];
/** The IDs of the sent emails, oldest first. */
let ids: unknown[];

const template = new Template(
  { Resources: { Set: { Type: 'AWS::SES::ConfigurationSet', Properties: {} } } },
  'Stack',
);

async function open(): Promise<Send> {
  [events, ids] = [[], []];
  mailbox = new Mailbox(cloud.file('mails.jsonl'));
  const onEvent = (event: BusEvent) => events.push(event);
  emulator = new SesEmulator(template, mailbox, { onEvent, clock: cloud.clock });
  // SES resets a connection that is used for a second email.
  const requestHandler = { requestHandler: { httpAgent: { keepAlive: false } } };
  const send = sender(await cloud.client(v1.SESClient, 'ses', emulator.serve, requestHandler), v1);
  return async <Response>(operation: string, input: object) => {
    const response = await send<{ MessageId?: string }>(operation, input);
    ids.push(response.MessageId);
    return response as Response;
  };
}

const headers = [
  'From: Dogs <dogs@example.com>',
  'To: rex@example.com,',
  ' jane@example.com',
  'Subject: Woof',
];
const message = [...headers, '', 'Bow wow'];

/** Sends a message in the Internet Message Format to rex@example.com. */
const sent = (lines: readonly string[], more: object = {}, expected?: object): Call => [
  'SendRawEmail',
  { Destinations: ['rex@example.com'], RawMessage: { Data: Buffer.from(lines.join('\r\n')) }, ...more },
  expected,
];

/** Expects the stored emails, oldest first. */
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
const invalid = (message?: string) => refusal('InvalidParameterValue', message);

const bounce = 'bounce@simulator.amazonses.com';
const ConfigurationSetName = 'Stack-Set';
/** An email to an address of the mailbox simulator, and the event that it causes. */
const simulated = (recipient: string, detailType: string, detail: object): Step[] => [
  sent(message, {
    Destinations: ['rex@example.com', recipient],
    Tags: [{ Name: 'dog', Value: 'rex' }],
    ConfigurationSetName,
  }),
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
          tags: { dog: ['rex'], 'ses:configuration-set': [ConfigurationSetName] },
        },
      },
    })(),
  () => expect(JSON.stringify(events)).toContain(`"emailAddress":"${recipient}"`),
];

conformance('https://docs.aws.amazon.com/ses/latest/APIReference/', open, {
  'A message is stored with its text': [
    sent([...headers, '', 'Bow', 'wow 🐕'], {}, { MessageId: expect.any(String) }),
    () =>
      expect(mailbox.list().emails).toEqual([
        {
          messageId: ids[0],
          from: 'dogs@example.com',
          destination: { to: ['rex@example.com'], cc: [], bcc: [] },
          subject: 'Woof',
          body: { text: 'Bow\nwow 🐕', html: '' },
          at: Date.parse(now) / 1000,
        },
      ]),
  ],
  'A message in two formats is stored with both': [
    sent([
      ...headers,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      ...['--b', 'Content-Type: text/plain', '', 'Bow wow', ''],
      ...['--b', 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64'],
      ...['', Buffer.from('<p>Bow wow 🐕</p>').toString('base64'), '--b--'],
    ]),
    stored({ body: { text: 'Bow wow', html: '<p>Bow wow 🐕</p>' } }),
  ],
  'A mail has a unique ID and its unsubscribe link': [
    sent([...headers, 'List-Unsubscribe: <https://dogs.example/u>', '', 'wow']),
    sent(message),
    stored({ unsubscribe: '<https://dogs.example/u>' }, {}),
    () => expect(ids[0]).not.toBe(ids[1]),
  ],
  [`${bounce} causes a permanent bounce`]: simulated(bounce, 'Email Bounced', {
    eventType: 'Bounce',
    bounce: { bounceType: 'Permanent' },
  }),
  'complaint@simulator.amazonses.com causes a complaint': simulated(
    'complaint@simulator.amazonses.com',
    'Email Complaint Received',
    { eventType: 'Complaint' },
  ),
  'Mail to other addresses, or without a configuration set, causes no event': [
    ...['success@simulator.amazonses.com', 'bounce@example.com', `${bounce}.example`].map((address) =>
      sent(message, { Destinations: [address], ConfigurationSetName }),
    ),
    sent(message, { Destinations: [bounce] }),
    reported(),
  ],
  'An invalid mail is refused': [
    sent(message, { ConfigurationSetName: 'Other' }, refusal(expect.stringMatching(/^ConfigurationSetDoes/))),
    sent(['woof'], {}, invalid("Missing required header 'From'.")),
    sent(['Subject: Woof', '', 'wow'], {}, invalid("Missing required header 'From'.")),
    sent(message, { Destinations: [] }, invalid('The mail must have a recipient.')),
    sent(
      message,
      { Destinations: Array.from({ length: 51 }, (_, i) => `rex-${i}@example.com`) },
      invalid('Recipient count exceeds 50.'),
    ),
    sent([...message, 'x'.repeat(1000)], {}, invalid()),
    sent([...message, ...Array(11_000).fill('x'.repeat(998))], {}, invalid()),
    sent(message, { Tags: [{ Name: 'dog', Value: 'a b' }] }, invalid()),
    stored(),
  ],
  'Another action is refused': [
    [
      'GetSendQuota',
      {},
      refusal('InvalidAction', 'The local cloud does not support the SES action GetSendQuota.'),
    ],
  ],
});

const address = { EmailAddress: 'rex@example.com' };
const absent = { refused: 'NotFoundException', status: 404 };

conformance(
  'https://docs.aws.amazon.com/ses/latest/APIReference-V2/',
  async () => sender(await cloud.client(v2.SESv2Client, 'sesv2', serveSuppressionList), v2),
  {
    'The suppression list is empty': [
      ['ListSuppressedDestinations', { PageSize: 2 }, exactly({ SuppressedDestinationSummaries: [] })],
      ['GetSuppressedDestination', address, absent],
      ['DeleteSuppressedDestination', address, absent],
      [
        'PutSuppressedDestination',
        { ...address, Reason: 'BOUNCE' },
        { refused: 'UnknownOperationException' },
      ],
      ['GetAccount', {}, { refused: 'UnknownOperationException' }],
    ],
  },
);

test('A mail is reported with its ID, its recipients and its subject', async () => {
  const send = await open();
  const reports = cloud.activities();
  const to = ['rex@example.com', 'owner@example.com'];
  const [operation, input] = sent(message, { Destinations: to });
  await send(operation, input);
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

// Only Linux has this file, to which every write fails with ENOSPC.
(existsSync('/dev/full') ? test : test.skip)(
  'A mail is refused and not shown while the disk is full, and the next one is accepted when there is space',
  async () => {
    const file = cloud.file('mails.jsonl');
    const send = await open();
    const [operation, input] = sent(message);
    symlinkSync('/dev/full', file);
    expect(await send(operation, input)).toMatchObject({ refused: 'ServiceUnavailable' });
    expect(mailbox.list().total).toBe(0);
    expect(cloud.logged).toEqual([expect.stringMatching(/^ses cannot store data: ENOSPC.*Free some space/)]);
    unlinkSync(file);
    await send(operation, input);
    expect([mailbox.list().total, new Mailbox(file).list().total]).toEqual([1, 1]);
  },
);
