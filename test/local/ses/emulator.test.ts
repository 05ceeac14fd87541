import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSendQuotaCommand, SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import type { BusEvent } from '../../../local/eventbridge/event-bus.ts';
import { type Activity, onActivity } from '../../../local/platform/activity.ts';
import { SesEmulator } from '../../../local/ses/emulator.ts';
import type { Mail } from '../../../local/ses/mail.ts';
import { Template } from '../../../local/template/template.ts';

let directory: string;
let file: string;
let emulator: SesEmulator;
let endpoint: AwsEndpoint;
let client: SESClient;

const template = new Template({ Resources: { Set: { Type: 'AWS::SES::ConfigurationSet' } } }, 'Stack');
const events: BusEvent[] = [];

function newEmulator(name: string): SesEmulator {
  return new SesEmulator(template, name, { onEvent: (event) => events.push(event) });
}

beforeEach(async () => {
  events.length = 0;
  directory = mkdtempSync(join(tmpdir(), 'mail-'));
  file = join(directory, 'mails.jsonl');
  emulator = newEmulator(file);
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

function mailsOf(emulator: SesEmulator): Mail[] {
  const { contentType, body } = emulator.mailsPage();
  expect(contentType).toBe('application/json');
  return JSON.parse(body).emails;
}

function subjectsOf(emulator: SesEmulator): string[] {
  return mailsOf(emulator).map(({ subject }) => subject);
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
    expect(mailsOf(emulator)).toEqual([
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
    const [{ at } = { at: 0 }] = mailsOf(emulator);
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
    expect(mailsOf(emulator).map(({ body }) => body)).toEqual([{ text: '', html: '<p>wow</p>' }]);
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
    expect(mailsOf(emulator)).toEqual([]);
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
    expect(mailsOf(emulator)).toEqual([]);
  });

  test('is refused with well-formed XML if the request has no action', async () => {
    const call = { caller: 'Bark', service: 'ses', method: 'POST', path: '/', headers: {} };
    const hostile = await emulator.serve({ ...call, body: Buffer.from('Action=%3Cscript%3E') });
    expect(hostile.status).toBe(400);
    expect(String(hostile.body)).not.toContain('<script>');
    expect((await emulator.serve({ ...call, body: Buffer.from('') })).status).toBe(400);
  });
});

describe('The mails', () => {
  test('survive a restart', async () => {
    await sendMail({ subject: 'first' });
    await sendMail({ subject: 'second' });
    const known = mailsOf(emulator);
    emulator = newEmulator(file);
    expect(mailsOf(emulator)).toEqual(known);
    await sendMail({ subject: 'third' });
    expect(subjectsOf(newEmulator(file))).toEqual(['first', 'second', 'third']);
  });

  test('are empty if the file is missing or empty', () => {
    expect(mailsOf(emulator)).toEqual([]);
    writeFileSync(file, '');
    expect(mailsOf(newEmulator(file))).toEqual([]);
  });

  test('do not include an incomplete last line', async () => {
    await sendMail({ subject: 'whole' });
    appendFileSync(file, '{"messageId":"torn","subject":"to');
    expect(subjectsOf(newEmulator(file))).toEqual(['whole']);
  });

  test('survive if they follow an incomplete line', async () => {
    writeFileSync(file, '{"messageId":"torn","subject":"to');
    emulator = newEmulator(file);
    await sendMail({ subject: 'after' });
    expect(subjectsOf(emulator)).toEqual(['after']);
    expect(subjectsOf(newEmulator(file))).toEqual(['after']);
  });

  test('can be read only by their owner', async () => {
    await sendMail({});
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('are JSON lines', async () => {
    await sendMail({ text: 'two\nlines' });
    await sendMail({});
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.map((line) => line && JSON.parse(line))).toEqual([...mailsOf(emulator), '']);
  });
});

describe('The inbox', () => {
  function inbox(): string {
    const { contentType, body } = emulator.inbox();
    expect(contentType).toBe('text/html; charset=utf-8');
    return body;
  }

  test('shows a message while it is empty', () => {
    expect(inbox()).toContain('No mail yet');
    expect(inbox()).not.toContain('<article');
  });

  test('shows the mails, newest first', async () => {
    await sendMail({ subject: 'the first', text: 'Bow', to: ['rex@example.com', 'owner@example.com'] });
    await sendMail({ subject: 'the second', text: 'wow' });
    const html = inbox();
    expect(html.match(/<article /g)).toHaveLength(2);
    expect(html.indexOf('the second')).toBeLessThan(html.indexOf('the first'));
    expect(textOf(html)).toContain('dogs@example.com to rex@example.com, owner@example.com');
    expect(html).toContain('<pre>Bow</pre>');
    expect(html).not.toContain('No mail yet');
  });

  test('has a link target for each message ID, and for the newest mail to each address', async () => {
    const older = await sendMail({ to: ['rex@example.com', 'vet@example.com'] });
    const newer = await sendMail({ to: ['rex@example.com'] });
    const anchors = [...inbox().matchAll(/id="([^"]*)"/g)].map(([, id]) => id);
    expect(anchors).toEqual([newer, 'rex@example.com', older, 'vet@example.com']);
  });

  test.each([
    '<script>alert(1)</script>',
    '</pre></article><img src=x onerror=alert(1)>',
    '"><a href="javascript:alert(1)">',
    "' onmouseover='alert(1)",
    '&lt;b&gt;',
  ])('escapes %s', async (hostile) => {
    const tags = /<[^>]*>/g;
    await sendMail({ subject: 'harmless', text: 'harmless', to: ['rex@example.com'] });
    const harmless = inbox().match(tags);
    emulator = newEmulator(join(directory, 'other.jsonl'));
    await sendMail({ subject: hostile, text: hostile, to: [hostile] });
    const shapes = (all: readonly string[] | null) => all?.map((tag) => tag.replace(/id="[^"]*"/, 'id'));
    expect(shapes(inbox().match(tags))).toEqual(shapes(harmless));
    expect(unescaped(textOf(inbox())).split(hostile)).toHaveLength(4);
  });

  function textOf(html: string): string {
    return html.replace(/<[^>]*>/g, '');
  }

  function unescaped(html: string): string {
    return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  }

  test('replaces control characters, which HTML does not allow', async () => {
    await sendMail({ subject: 'a\u0000b\u001bc' });
    expect(emulator.inbox().body).toContain('a\uFFFDb\uFFFDc');
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
    expect(subjectsOf(emulator)).toEqual([]);
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
