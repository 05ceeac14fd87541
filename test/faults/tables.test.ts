import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { publicationKey } from '../../lambdas/domain/access/keys.ts';
import { createBark } from '../../lambdas/domain/barks/create.ts';
import { readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../lambdas/domain/dogs/read.ts';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { leaseSeconds, type RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { purgeDog } from '../../lambdas/domain/removal/purge.ts';
import { suspendAddresses } from '../../lambdas/domain/suspensions/suspend.ts';
import type { Key, PublishedKey } from '../../lambdas/domain/tokens/published-keys.ts';
import { replaceKey } from '../../lambdas/domain/tokens/signing-keys.ts';
import { handler as performBark } from '../../lambdas/jobs/perform-bark.ts';
import { context as lambdaContext } from '../../tools/invocation.ts';
import { itemsIn, useDatabase } from '../support/database.ts';
import { giveBarks, newDog } from '../support/dogs.ts';
import { clearSecrets, secrets, standingOf, started } from '../support/faults.ts';
import { setLimits } from '../support/limits.ts';
import { deliver, occurrenceOf, post } from '../support/schedules.ts';
import { ample, at, newContext, now } from './scenario.ts';
import { runExecution } from './scenarios/executions.ts';
import { itemsOf, orphansOf, stateOf } from './state.ts';
import { Sandbox, Trial, useSandboxes } from './trial.ts';

/**
 * The tables in the docstrings that state what is stored if a function dies after a call, and what a repeat does. Each function
 * with such a table dies after each call in the table, and each cell must be true. A cell that begins with "the same" repeats the
 * cell above it.
 */

useDatabase();
useSandboxes();
beforeAll(() => setLimits({ barksPerDog: 10, mailsPerDog: 10 }));

const project = join(import.meta.dirname, '../..');
const effects: Dog['settings']['barkEffects'] = ['emailDog', 'record'];
const leaseExpired = leaseSeconds + 1;

interface Table {
  readonly file: string;
  readonly of: string;
  /** The steps of each timeline. */
  readonly timelines: readonly (readonly string[])[];
  readonly columns: readonly string[];
  /** The cells of each row, in the order of the columns. */
  readonly rows: readonly (readonly string[])[];
}

const sources = globSync('lambdas/**/*.ts', { cwd: project }).map(
  (file) => [file, readFileSync(join(project, file), 'utf8')] as const,
);
const tables = sources.flatMap(([file, text]) => tablesIn(file, text));

function tablesIn(file: string, text: string): Table[] {
  const documented = text.matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?(?:async )?function (\w+)/g,
  );
  return [...documented].flatMap(([, comment = '', of = '']) => {
    const lines = comment.split('\n').map((line) => line.replace(/^ *\* ?/, '').trim());
    const timelines = lines.filter((line) => line.includes('────')).map((line) => line.split(/ *─+ */));
    const [columns = [], , ...rows] = lines
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    if (!isHead(columns[0])) return [];
    return [{ file, of, timelines, columns, rows: repeated(rows) }];
  });
}

function isHead(text = ''): boolean {
  return /\bThe (function|process) dies after\b/.test(text);
}

/** Returns the rows with the cell above instead of "the same". */
function repeated(rows: readonly (readonly string[])[]): string[][] {
  const result: string[][] = [];
  for (const row of rows)
    result.push(row.map((cell, i) => cell.replace(/^the same\b/, result.at(-1)?.[i] ?? cell)));
  return result;
}

interface Subject {
  /** The dog that it changes, if any. */
  readonly dog?: string;
  act(context: RequestContext): Promise<unknown>;
}

function storedOf(dog = 'none') {
  const [published] = itemsIn(process.env.ACCESS_TABLE, publicationKey.pk);
  return { ...stateOf(dog), published, privateKeys: JSON.parse(secrets.get('signing-key') ?? '[]') };
}
type Stored = ReturnType<typeof storedOf>;

/** What a function has left behind, and what a repeat changes. */
class Aftermath {
  readonly trial = new Trial();
  readonly subject: Subject;
  readonly before: Stored;
  /** The number of emails that the function sent in its last call. */
  mails = 0;

  constructor(subject: Subject, before: Stored) {
    this.subject = subject;
    this.before = before;
  }

  get stored(): Stored {
    return storedOf(this.subject.dog);
  }

  /** Runs a function. @returns the result, or the name of the error @param after the time since the death, in seconds */
  async run(work: () => Promise<unknown>, after: number): Promise<unknown> {
    const result = await this.trial.run(work, new Sandbox(now + after * 1000));
    if (result.kind === 'thrown') return result.error.name;
    return result.kind === 'returned' ? result.value : result;
  }

  async check({ after, returns, changes, mails, alarm, stored }: Step): Promise<void> {
    const before = this.stored;
    if (after !== undefined) {
      const earlier = this.trial.sent.length;
      const result = await this.run(() => this.subject.act(newContext(after)), after);
      this.mails = this.trial.sent.length - earlier;
      if (returns) expect(result).toEqual(returns(before));
    }
    if (changes !== undefined) expect(isDeepStrictEqual(this.stored, before)).toBe(!changes);
    if (changes === false) expect(this.mails).toBe(0);
    if (mails !== undefined) expect(this.mails).toBe(mails);
    if (alarm !== undefined) expect(this.trial.alarmed('MailFailed')).toBe(alarm);
    if (stored) expect(this.stored).toMatchObject(stored);
  }
}

/** What is true after the death of a function, or after another call of it. */
interface Step {
  /** When the function is called again, in seconds since its death. By default, it is not. */
  readonly after?: number;
  /** Returns the expected result of that call, or the name of its error. */
  readonly returns?: (before: Stored) => unknown;
  /** True if that call changes what is stored. False if it neither changes anything nor sends an email. */
  readonly changes?: boolean;
  readonly mails?: number;
  readonly alarm?: boolean;
  readonly stored?: object;
}

type Predicate = (one: Aftermath) => Promise<void> | void;

/** What a cell states: its steps in order, or a check of its own. */
type Statement = readonly Step[] | Predicate;

interface Checks {
  begin(column: string): Promise<Subject>;
  /** The operation that each row names, and the number of earlier calls of the operation. By default, the row is the name. */
  readonly calls?: Readonly<Record<string, readonly [operation: string, nth: number]>>;
  /** The statements of the cells, by column and text. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, Statement>>>>;
}

const nothing: Predicate = (one) => {
  expect(one.stored).toEqual(one.before);
  expect(one.mails).toBe(0);
};

const leased = { claimEnds: at + leaseSeconds };

/** The client has claimed its request. @param mails the number of emails that were sent */
function claimStored(mails: number): Statement {
  const usage = [{ barks: 1, mails: 1 }];
  return [{ stored: { history: [], idempotencyRecords: [leased], usage }, mails }];
}

/** A repeat makes the dog bark and sends an email. @param barks the number of barks afterwards */
function barks(barks: number): Statement {
  const history = Array(barks).fill({});
  return [{ after: 1, changes: true, stored: { dog: { barkCount: barks }, history }, mails: 1 }];
}

/** API Gateway's status for a function that died (see `local/test/gateway`), and what a client can observe. */
function seen({ mails = 0, barks = 0 }: { readonly mails?: number; readonly barks?: number }): Predicate {
  return async ({ subject: { dog = '' }, trial }) => {
    expect(trial.sent).toHaveLength(mails);
    expect((await readDogView(dog, newContext())).previous).toHaveLength(barks);
  };
}

const returnsOutcome: Statement = [
  {
    after: 1,
    changes: false,
    returns: ({ idempotencyRecords: [record] }) => record?.outcome,
    stored: { idempotencyRecords: [{ outcome: expect.anything() }] },
  },
];

const key = { user: 'jane', resource: 'barks', value: 'a key' } as const;

const barkSync: Checks = {
  async begin(column) {
    const dog = await newDog('sync', effects);
    return { dog, act: (context) => createBark(dog, column === 'Without a key' ? {} : { key }, context) };
  },
  calls: { 'the claim, the usage': ['TransactWriteItems', 0], TransactWriteItems: ['TransactWriteItems', 1] },
  cells: {
    Stored: {
      nothing,
      'the claim, the usage': claimStored(0),
      'the claim, the usage; the mail is sent': claimStored(1),
      'the bark and its outcome': [
        {
          stored: {
            dog: { barkCount: 1 },
            history: [{}],
            idempotencyRecords: [{ outcome: { kind: 'recorded' } }],
          },
        },
      ],
    },
    'The client sees': {
      502: seen({}),
      '502, and the mail': seen({ mails: 1 }),
      '502, the mail, and the bark': seen({ mails: 1, barks: 1 }),
    },
    'A repeat with the key': {
      barks: barks(1),
      'RequestInProgress; MailUnknown after the lease': [
        { after: 1, changes: false, returns: () => 'RequestInProgress' },
        { after: leaseExpired, returns: () => 'MailUnknown', stored: { history: [] }, mails: 0 },
      ],
      'returns the outcome': returnsOutcome,
    },
    'Without a key': {
      barks: barks(1),
      'mails again': barks(1),
      'barks again': barks(2),
    },
  },
};

/** Runs the execution of the bark that the function has started. @returns the result of its first attempt */
async function execute(one: Aftermath): Promise<unknown> {
  const [input] = started(one.subject.dog ?? '');
  if (!input) throw new Error('no execution');
  const result = await one.run(() => performBark(input, lambdaContext(ample)), 10);
  await runExecution(input, 'Standard', one.trial, 11);
  return result;
}

const barkAsync: Checks = {
  async begin() {
    const dog = await newDog('async', effects);
    return { dog, act: (context) => createBark(dog, { key }, context) };
  },
  cells: {
    Stored: {
      nothing,
      'the bark, its outcome': [
        {
          stored: {
            barks: [{ status: 'pending' }],
            markers: [{}],
            idempotencyRecords: [{ outcome: { kind: 'accepted' } }],
          },
        },
      ],
    },
    'The client sees': {
      502: seen({}),
      '502, and later the bark': async (one) => {
        await seen({})(one);
        await execute(one);
        await seen({ mails: 1, barks: 1 })(one);
      },
    },
    'The execution': {
      none: (one) => expect(started(one.subject.dog ?? '')).toEqual([]),
      'finds no bark, ends': async (one) => {
        const stored = one.stored;
        expect(await execute(one)).toBe('NotStored');
        expect(one.stored).toEqual(stored);
      },
      'performs the bark': async (one) => {
        await execute(one);
        expect(one.stored).toMatchObject({ barks: [{ status: 'complete' }], history: [{}] });
        expect(one.trial.sent).toHaveLength(1);
      },
    },
    'A repeat with the key': {
      barks: [
        {
          after: 1,
          changes: true,
          returns: () => expect.objectContaining({ kind: 'accepted' }),
          stored: { barks: [{}] },
        },
      ],
      'returns the outcome': returnsOutcome,
    },
  },
};

/** A run has claimed the bark. @param mails the number of emails that were sent */
function barkClaimed(mails: number): Statement {
  return [{ stored: { barks: [{ status: 'inProgress', ...leased }], history: [] }, mails }];
}

const performing: Checks = {
  async begin() {
    const dog = await newDog('async', effects);
    await createBark(dog, {}, newContext(-10));
    const [input] = started(dog);
    if (!input) throw new Error('no execution');
    return { dog, act: () => performBark(input, lambdaContext(ample)) };
  },
  calls: { 'the claim': ['UpdateItem', 0] },
  cells: {
    Stored: {
      nothing,
      'the claim': barkClaimed(0),
      'the claim; mail is sent': barkClaimed(1),
      'the bark and its entry': [{ stored: { barks: [{ status: 'complete' }], history: [{}], markers: [] } }],
    },
    'A later run': {
      'performs the bark': [
        { after: 1, changes: true, stored: { barks: [{ status: 'complete' }], history: [{}] }, mails: 1 },
      ],
      'NotYet; after the lease, fails the bark: mail unknown': [
        { after: 1, changes: false, returns: () => 'NotYet' },
        {
          after: leaseExpired,
          stored: { barks: [{ status: 'failed', reason: 'The mail may have been sent.' }], history: [] },
          mails: 0,
        },
      ],
      'finds the bark complete': [{ after: 1, changes: false, stored: { barks: [{ status: 'complete' }] } }],
    },
  },
};

const scheduleIdOf = ({ dog }: Stored) => dog?.schedule?.scheduleId;

/** Checks that EventBridge Scheduler has one orphan, which ends without effect when it fires. @param isNew true if it is new */
function orphan(isNew: boolean): Predicate {
  return async (one) => {
    const stored = one.stored;
    const orphans = orphansOf(stored);
    const former = one.before.schedules.map(({ Name }) => Name);
    expect(orphans.map(({ Name }) => !former.includes(Name))).toEqual([isNew]);
    const [left] = orphans;
    if (left) await one.run(() => deliver(occurrenceOf(left), newContext(1_200)), 1_200);
    const schedules = stored.schedules.filter((schedule) => schedule !== left);
    expect(one.stored).toEqual({ ...stored, schedules });
  };
}

const replacing: Checks = {
  async begin() {
    const dog = await newDog('sync', effects);
    await post(dog, 1, { next: at + 300, frequency: 10 }, newContext(-60));
    return { dog, act: (context) => post(dog, 2, { next: 0, frequency: 1 }, context) };
  },
  cells: {
    'In effect': {
      'the old schedule': (one) => expect(one.stored.dog).toEqual(one.before.dog),
      'the new schedule': (one) => {
        const { dog, schedules } = one.stored;
        expect(dog?.schedule).toMatchObject({ start: at, frequency: 1 });
        expect(schedules.map(({ Name }) => Name)).toContain(`${dog?.id}.${dog?.schedule?.scheduleId}`);
      },
    },
    'The client sees': {
      502: seen({}),
      '502, the first bark, and the rest': async (one) => {
        await seen({ barks: 1 })(one);
        expect((await readDogView(one.subject.dog ?? '', newContext())).next).toBe(at + 60);
      },
    },
    'A repeat of the request': {
      'is applied': [{ after: 1, changes: true, returns: () => 'changed' }],
      'is applied, with another `scheduleId`': async (one) => {
        const { schedules } = one.stored;
        const schedule = { start: at + 1, frequency: 1 };
        await one.check({
          after: 1,
          changes: true,
          returns: () => 'changed',
          stored: { dog: { barkCount: 1, schedule } },
        });
        const { dog } = one.stored;
        expect(schedules.map(({ Name }) => Name)).not.toContain(`${dog?.id}.${dog?.schedule?.scheduleId}`);
      },
      'finds the applied change, and changes nothing': async (one) => {
        const appliedChanges = [{}, {}];
        await one.check({ after: 1, changes: false, returns: () => 'repeated', stored: { appliedChanges } });
        expect(scheduleIdOf(one.stored)).not.toBe(scheduleIdOf(one.before));
      },
    },
    'Left behind': {
      'the new schedule, until it fires': orphan(true),
      'the old schedule, until it fires': orphan(false),
      nothing: (one) => expect(orphansOf(one.stored)).toEqual([]),
    },
  },
};

/** The bark at an occurrence is stored with a state of its mail. @param mails the number of emails that were sent */
function barkStored(mail: string, mails: number): Statement {
  return [{ stored: { dog: { barkCount: 1 }, history: [{ mail }] }, mails }];
}

const occurrence: Checks = {
  async begin() {
    const dog = await newDog('sync', effects);
    await post(dog, 1, { next: at, frequency: 10 }, newContext(-600));
    const event = occurrenceOf(standingOf(dog));
    return { dog, act: (context) => deliver(event, context, 'delivery') };
  },
  cells: {
    Stored: {
      nothing,
      'the bark, its mail being sent': barkStored('inProgress', 0),
      'the bark, its mail being sent; the mail is sent': barkStored('inProgress', 1),
      'the bark, its mail sent': barkStored('sent', 1),
    },
    'The next attempt': {
      barks: barks(1),
      'NotYet; after the lease, records the mail as failed': [
        { after: 1, changes: false, returns: () => 'NotYet', alarm: false },
        { after: leaseExpired, stored: { history: [{ mail: 'failed' }] }, alarm: true, mails: 0 },
      ],
      'does nothing': [{ after: 1, changes: false, returns: () => undefined }],
    },
  },
};

/** Checks that a repeat deletes everything that is still stored, except for the usage, which expires. */
const deletesRest: Predicate = async (one) => {
  await one.check({ after: 1, changes: true });
  const stored = one.stored;
  const { dog, schedules, usage } = stored;
  expect({ dog, schedules, usage }).toEqual({ dog: undefined, schedules: [], usage: one.before.usage });
  expect(itemsOf(stored)).toEqual([]);
};

const purging: Checks = {
  async begin() {
    const dog = await newDog('sync', effects);
    // The items fill two pages.
    await giveBarks(dog, 60);
    await createBark(dog, { key }, newContext(-60));
    await post(dog, 1, { next: at + 600, frequency: 10 }, newContext(-60));
    const former = await readDog(dog, newContext());
    await database.send(new DeleteCommand({ TableName: process.env.DOGS_TABLE, Key: { id: dog } }));
    return { dog, act: (context) => purgeDog(former, context) };
  },
  cells: {
    Stored: {
      'the schedule, the items': nothing,
      'the items': (one) => expect(one.stored).toEqual({ ...one.before, schedules: [] }),
      'the other items': (one) => {
        const left = itemsOf(one.stored).length;
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThan(itemsOf(one.before).length);
      },
    },
    'The next attempt': {
      purges: deletesRest,
      'deletes the items': deletesRest,
      'deletes the other items': deletesRest,
    },
  },
};

const suspended = { dog: { suspensions: [{ address: 'dog@example.com' }] } };

const suspending: Checks = {
  async begin() {
    const dog = await newDog('sync', effects);
    const { incarnation } = await readDog(dog, newContext());
    const feedback = { dog, incarnation, addresses: ['dog@example.com'], reason: 'bounced', at } as const;
    return { dog, act: (context) => suspendAddresses(feedback, context) };
  },
  cells: {
    Stored: {
      nothing,
      'the suspensions': [{ stored: suspended }],
    },
    'Another delivery': {
      'suspends the addresses': [{ after: 1, changes: true, stored: suspended }],
      'changes nothing': [{ after: 1, changes: false }],
    },
  },
};

/** Checks the number of private keys, the rest of the lease, and the number of published keys that expire. */
function keysStored(privateKeys: number, leaseEnds: number | undefined, expiring: number): Predicate {
  return ({ stored }) => {
    const keys = stored.published?.keys as readonly PublishedKey[];
    expect([stored.privateKeys.length, stored.published?.leaseEnds]).toEqual([privateKeys, leaseEnds]);
    expect([keys.length, keys.filter(({ expires }) => expires !== undefined).length]).toEqual([2, expiring]);
    const { kid } = keys.at(-1)?.jwk ?? {};
    const signing = stored.privateKeys.filter((key: { jwk: Key; from: number }) => key.jwk.kid === kid);
    if (privateKeys > 1) expect(signing[0].from).toBeGreaterThan(at);
    else expect(signing).toEqual([]);
  };
}

const leaseOfKeyEnds = at + 15;

const replacesKey: Predicate = async (one) => {
  const { privateKeys } = one.stored;
  const returns = () => ({ kid: expect.any(String), from: expect.any(Number) });
  await one.check({ after: 1, changes: true, returns });
  expect(one.stored.privateKeys).not.toEqual(privateKeys);
};

const replacingKey: Checks = {
  async begin() {
    clearSecrets();
    await database.send(new DeleteCommand({ TableName: process.env.ACCESS_TABLE, Key: publicationKey }));
    await replaceKey(newContext(-3_600));
    return { act: replaceKey };
  },
  calls: { 'the first PutItem': ['PutItem', 0], 'the second PutItem': ['PutItem', 1] },
  cells: {
    Stored: {
      nothing,
      'a published key that never signs, the lease': keysStored(1, leaseOfKeyEnds, 0),
      'a key that will sign, the lease; no key expires': keysStored(2, leaseOfKeyEnds, 0),
      'the replacement': keysStored(2, undefined, 1),
    },
    'A repeat': {
      'replaces the key': replacesKey,
      'NotYet until the lease has ended': [
        { after: 1, changes: false, returns: () => 'NotYet' },
        { after: 15, returns: () => expect.objectContaining({ kid: expect.any(String) }) },
      ],
      'replaces the key again': replacesKey,
    },
  },
};

const checksOf: Readonly<Record<string, Checks>> = {
  barkSync,
  barkAsync,
  performBark: performing,
  applyOnce: replacing,
  barkAtOccurrence: occurrence,
  purgeDog: purging,
  suspendAddresses: suspending,
  replaceKey: replacingKey,
};

/** Kills the function after the call that a row names, and checks a cell of the row. */
async function check({ begin, calls, cells }: Checks, row: string, column: string, cell: string) {
  const statement = cells[column]?.[cell];
  if (!statement) throw new Error(`The column "${column}" has no statement for the cell "${cell}".`);
  const subject = await begin(column);
  const one = new Aftermath(subject, storedOf(subject.dog));
  const [operation, nth] = calls?.[row] ?? [row, 0];
  const sandbox = new Sandbox(now);
  sandbox.plan(operation, 'dies after', 1, nth);
  const { kind } = await one.trial.run(() => subject.act(newContext()), sandbox);
  if (kind !== 'died') throw new Error(`The function does not make the call "${row}".`);
  one.mails = one.trial.sent.length;
  if (typeof statement === 'function') return statement(one);
  for (const step of statement) await one.check(step);
}

test('each table belongs to a function with statements, and each such function has a table', () => {
  const heads = sources.flatMap(([file, text]) =>
    text.split('\n').flatMap((line) => (isHead(line) ? [file] : [])),
  );
  expect(tables.map(({ file }) => file)).toEqual(heads);
  expect(tables.map(({ of }) => of).sort()).toEqual(Object.keys(checksOf).sort());
});

describe.each(tables)('The table of $of in $file', ({ of, timelines, columns, rows }) => {
  test('names each call of the timelines, in order', () => {
    // For example, "the first PutItem" is a step that contains "PutItem".
    const calls = rows.map(([row = '']) => row.replace(/\bthe ((first|second) )?/g, ''));
    const namesInOrder = (steps: readonly string[]) => {
      let last = -1;
      return calls.filter((call) => {
        const place = steps.findIndex((step, i) => i > last && step.includes(call));
        last = Math.max(last, place);
        return place >= 0;
      });
    };
    expect(timelines.map(namesInOrder)).toContainEqual(calls);
    const unnamed = timelines.flat().filter((step) => !calls.some((call) => step.includes(call)));
    expect(unnamed.filter((step) => /^[A-Z]/.test(step))).toEqual([]);
  });

  const cells = rows.flatMap(([row = '', ...others]) =>
    others.map((cell, i) => [row, columns[i + 1] ?? '', cell] as const),
  );
  test.each(cells)('is true after "%s", in the column "%s": %s', async (row, column, cell) => {
    const checks = checksOf[of];
    if (!checks) throw new Error('The table has no predicates.');
    await check(checks, row, column, cell);
  });
});
