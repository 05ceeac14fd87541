import { existsSync } from 'node:fs';
import type { Mail } from '../../../local/ses/mail.ts';
import { Mailbox } from '../../../local/ses/mailbox.ts';
import { useTestCloud } from '../../support/emulators.ts';

const cloud = useTestCloud();
let file: string;
let mailbox: Mailbox;

beforeEach(() => {
  file = cloud.file('mails.jsonl');
  mailbox = new Mailbox(file);
});

function mailOf(messageId: string, { to = ['rex@example.com'], text = 'Bow wow', ...rest } = {}): Mail {
  return {
    messageId,
    from: 'dogs@example.com',
    destination: { to, cc: [], bcc: [] },
    subject: 'Woof',
    body: { text, html: '' },
    at: 1_795_305_600,
    ...rest,
  };
}

/** Adds mails whose IDs are numbers. */
function add(from: number, to: number): void {
  for (let id = from; id <= to; id++) mailbox.add(mailOf(`${id}`));
}

const ids = (...selection: Parameters<Mailbox['list']>) =>
  mailbox.list(...selection).emails.map(({ messageId }) => messageId);

describe('A list of mails', () => {
  test.each([
    [{}, ['5', '4']],
    [{ before: '4' }, ['3', '2']],
    [{ before: '1' }, []],
    [{ after: '1' }, ['3', '2']],
    [{ after: '2' }, ['4', '3']],
    // A newest page is full.
    [{ after: '4' }, ['5', '4']],
  ])('with %j and the limit 2 has the mails %j', (cursor, expected) => {
    add(1, 5);
    expect(ids({}, { limit: 2, ...cursor })).toEqual(expected);
  });

  test.each([{ before: '4' }, { after: '1' }])(
    'with %j has the same mails after new mails arrive',
    (cursor) => {
      add(1, 5);
      const page = { limit: 2, ...cursor };
      const { emails, newer } = mailbox.list({}, page);
      add(6, 8);
      expect(mailbox.list({}, page)).toMatchObject({ emails, newer: newer + 3, matching: 8 });
    },
  );

  test.each([{ before: '1' }, { after: '1' }])(
    'with %j has the newest mails if the mail was deleted',
    (cursor) => {
      add(1, 2);
      mailbox.clear();
      add(3, 5);
      expect(ids({}, { limit: 2, ...cursor })).toEqual(['5', '4']);
    },
  );
});

describe('A filter', () => {
  beforeEach(() => {
    mailbox.add(mailOf('rex'));
    mailbox.add(mailOf('both', { to: ['max@example.com', 'Rex@Example.com'] }));
    mailbox.add(mailOf('trex', { to: ['trex@example.com'], text: 'The Postman is here' }));
  });

  // An address matches the beginning of addresses. A text matches the subject, the body and the addresses.
  test.each([
    [{ address: 'rex@example.com' }, ['both', 'rex']],
    [{ address: 'REX@' }, ['both', 'rex']],
    [{ address: 'dogs@example.com' }, ['vet', 'html', 'trex', 'both', 'rex']],
    [{ address: 'example.com' }, []],
    [{ address: 'cc@example.com' }, ['vet']],
    [{ text: 'postman' }, ['trex']],
    [{ text: 'woof' }, ['vet', 'html', 'trex', 'both', 'rex']],
    [{ text: 'max@' }, ['both']],
    [{ text: 'grrr' }, ['html']],
    [{ address: 'rex@example.com', text: 'max' }, ['both']],
  ])('by %j matches %j', (filter, expected) => {
    const body = { text: '', html: '<p>Grrr</p>' };
    mailbox.add({ ...mailOf('html', { to: ['html@example.com'] }), body });
    const destination = { to: [], cc: ['cc@example.com'], bcc: ['bcc@example.com'] };
    mailbox.add({ ...mailOf('vet'), destination });
    expect(ids(filter)).toEqual(expected);
    expect(mailbox.list(filter)).toMatchObject({ matching: expected.length, total: 5 });
  });

  test('applies to each page', () => {
    expect(mailbox.list({ address: 'rex' }, { limit: 1, before: 'both' })).toEqual({
      emails: [mailOf('rex')],
      newer: 1,
      matching: 2,
      total: 3,
    });
  });
});

describe('Deleting all mails', () => {
  test('deletes them in memory and on disk', () => {
    add(1, 2);
    mailbox.clear();
    expect(mailbox.list()).toEqual({ emails: [], newer: 0, matching: 0, total: 0 });
    expect(mailbox.find('1')).toBeUndefined();
    expect(existsSync(file)).toBe(false);
    expect(new Mailbox(file).list().total).toBe(0);
  });
});
