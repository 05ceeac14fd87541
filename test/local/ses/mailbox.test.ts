import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mail } from '../../../local/ses/mail.ts';
import { Mailbox } from '../../../local/ses/mailbox.ts';

let directory: string;
let file: string;
let mailbox: Mailbox;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mailbox-'));
  file = join(directory, 'mails.jsonl');
  mailbox = new Mailbox(file);
});

afterEach(() => rmSync(directory, { recursive: true }));

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

const idsOf = (mails: readonly Mail[]) => mails.map(({ messageId }) => messageId);
const ids = (...selection: Parameters<Mailbox['list']>) => idsOf(mailbox.list(...selection).emails);

describe('The file of a mailbox', () => {
  test('can be missing or empty', () => {
    expect(ids()).toEqual([]);
    writeFileSync(file, '');
    expect(new Mailbox(file).list().emails).toEqual([]);
  });

  test('can be read only by its owner, even after all mails were deleted', () => {
    add(1, 1);
    mailbox.clear();
    add(2, 2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('has a line of JSON for each mail', () => {
    mailbox.add(mailOf('1', { text: 'two\nlines' }));
    add(2, 2);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.map((line) => line && JSON.parse(line))).toEqual([
      ...mailbox.list().emails.toReversed(),
      '',
    ]);
  });
});

describe('A list of mails', () => {
  test('has all mails, newest first, if it has no limit', () => {
    add(1, 3);
    expect(mailbox.list()).toEqual({
      emails: [mailOf('3'), mailOf('2'), mailOf('1')],
      newer: 0,
      matching: 3,
      total: 3,
    });
  });

  test('has the newest mails up to the limit', () => {
    add(1, 5);
    expect(ids({}, { limit: 2 })).toEqual(['5', '4']);
  });

  test('has the mails before another mail, and the number of newer mails', () => {
    add(1, 5);
    expect(ids({}, { limit: 2, before: '4' })).toEqual(['3', '2']);
    expect(mailbox.list({}, { limit: 2, before: '2' })).toEqual({
      emails: [mailOf('1')],
      newer: 4,
      matching: 5,
      total: 5,
    });
    expect(ids({}, { limit: 2, before: '1' })).toEqual([]);
  });

  test('has the mails after another mail, and a full newest page', () => {
    add(1, 5);
    expect(ids({}, { limit: 2, after: '1' })).toEqual(['3', '2']);
    expect(ids({}, { limit: 2, after: '2' })).toEqual(['4', '3']);
    expect(ids({}, { limit: 2, after: '4' })).toEqual(['5', '4']);
  });

  test.each([{ before: '4' }, { after: '1' }])(
    'with %j has the same mails after new mails arrive',
    (cursor) => {
      add(1, 5);
      const { emails, newer } = mailbox.list({}, { limit: 2, ...cursor });
      add(6, 8);
      expect(mailbox.list({}, { limit: 2, ...cursor })).toMatchObject({
        emails,
        newer: newer + 3,
        matching: 8,
      });
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

  test('has every mail on exactly one of its pages', () => {
    add(1, 1000);
    const seen: string[] = [];
    for (
      let page = ids({}, { limit: 50 });
      page.length > 0;
      page = ids({}, { limit: 50, before: seen.at(-1) })
    ) {
      expect(page).toHaveLength(50);
      seen.push(...page);
    }
    expect(new Set(seen).size).toBe(1000);
    expect(seen).toHaveLength(1000);
  });
});

describe('A filter', () => {
  beforeEach(() => {
    mailbox.add(mailOf('rex'));
    mailbox.add(mailOf('both', { to: ['max@example.com', 'Rex@Example.com'] }));
    mailbox.add(mailOf('trex', { to: ['trex@example.com'], text: 'The Postman is here' }));
  });

  test.each([
    ['rex@example.com', ['both', 'rex']],
    ['REX@', ['both', 'rex']],
    ['trex', ['trex']],
    ['dogs@example.com', ['trex', 'both', 'rex']],
    ['example.com', []],
    ['', ['trex', 'both', 'rex']],
  ])('by the address %j matches the beginning of addresses', (address, expected) => {
    expect(ids({ address })).toEqual(expected);
  });

  test.each(['cc', 'bcc'])('by an address matches %s', (field) => {
    const destination = { to: [], cc: [], bcc: [], [field]: ['vet@example.com'] };
    mailbox.add({ ...mailOf('vet'), destination });
    expect(ids({ address: 'vet@example.com' })).toEqual(['vet']);
  });

  test.each([
    ['postman', ['trex']],
    ['wow', ['both', 'rex']],
    ['woof', ['trex', 'both', 'rex']],
    ['max@', ['both']],
    ['nothing', []],
  ])('by the text %j matches the subject, the body and the addresses', (text, expected) => {
    expect(ids({ text })).toEqual(expected);
  });

  test('by a text matches an HTML body', () => {
    mailbox.add({ ...mailOf('html'), body: { text: '', html: '<p>Grrr</p>' } });
    expect(ids({ text: 'grrr' })).toEqual(['html']);
  });

  test('by an address and a text matches mails that have both', () => {
    expect(ids({ address: 'rex@example.com', text: 'max' })).toEqual(['both']);
    expect(mailbox.list({ address: 'rex', text: 'postman' })).toMatchObject({ matching: 0, total: 3 });
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

  test('has no effect on an empty mailbox', () => {
    expect(() => mailbox.clear()).not.toThrow();
  });
});

test('A mailbox finds a mail by its ID', () => {
  add(1, 2);
  expect([mailbox.find('1'), mailbox.find('3')]).toEqual([mailOf('1'), undefined]);
});

test('A mailbox notifies its listeners after each change, until they are removed', () => {
  const totals: number[] = [];
  const remove = mailbox.onChange(() => totals.push(mailbox.list().total));
  const other = jest.fn();
  mailbox.onChange(other);
  add(1, 2);
  mailbox.clear();
  remove();
  add(3, 3);
  expect(totals).toEqual([1, 2, 0]);
  expect(other).toHaveBeenCalledTimes(4);
});
