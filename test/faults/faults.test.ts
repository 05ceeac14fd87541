import { useDatabase } from '../support/database.ts';
import { type Fault, refillRetries } from '../support/faults.ts';
import { countUnhandledRejections } from '../support/rejections.ts';
import { isThorough, tell } from './figures.ts';
import { type Fate, fates, now, type Scenario, type Verdict } from './scenario.ts';
import { access } from './scenarios/access.ts';
import { barks } from './scenarios/barks.ts';
import { credentials, useTokenEndpoint } from './scenarios/credentials.ts';
import { dogs } from './scenarios/dogs.ts';
import { jobs } from './scenarios/jobs.ts';
import { schedules } from './scenarios/schedules.ts';
import { type Answer, isDone, isRefused, Sandbox, statusOf, Trial, useSandboxes } from './trial.ts';

useDatabase();
useSandboxes();
useTokenEndpoint();
const unhandledRejections = countUnhandledRejections();

const scenarios = [...dogs, ...barks, ...schedules, ...jobs, ...access, ...credentials];

/** What goes wrong with a call, and with how many more of its kind after it. */
interface Planned {
  readonly name: string;
  readonly fault: Fault;
  readonly times?: number;
  /** Of which operations; of all, unless told. */
  readonly only?: readonly string[];
  /** How long the function has, in milliseconds. */
  readonly limit?: number;
  /** True if the result must be the same as without the fault. */
  readonly survived?: true;
}

const forEver = Number.POSITIVE_INFINITY;
const transactions = ['TransactWriteItems'];
/** The calls that a token makes idempotent. */
const withToken = [...transactions, 'CreateSchedule'];

/** So little time that waiting for its end costs little. */
const short = 300;

const daily: readonly Planned[] = [
  { name: 'happens, and its answer is lost', fault: 'answer lost' },
  {
    name: 'happens, and its answer and its token are lost',
    fault: 'answer and token lost',
    only: withToken,
  },
  {
    name: 'is made on a socket that died while the function was frozen',
    fault: 'sockets died',
    survived: true,
  },
  { name: 'gets no connection', fault: 'no connection', survived: true },
  { name: 'is throttled for ever', fault: 'throttled', times: forEver },
  { name: 'is refused', fault: 'refused', only: ['SendEmail', 'CreateSchedule'] },
  { name: 'is refused for a concurrent change', fault: 'concurrent change', only: ['CreateSchedule'] },
  { name: 'happens, and is slow to answer', fault: 'hangs after', limit: short },
  { name: 'is where the process dies, after it happened', fault: 'dies after' },
];

const thorough: readonly Planned[] = [
  ...daily,
  { name: 'fails before it happens', fault: 'fails before' },
  { name: 'fails before it happens, for ever', fault: 'fails before', times: forEver },
  { name: 'happens, and all answers are lost', fault: 'answer lost', times: forEver },
  { name: 'gets no connection, for ever', fault: 'no connection', times: forEver },
  { name: 'is throttled once', fault: 'throttled' },
  { name: 'conflicts with another', fault: 'conflict', times: 2, only: transactions },
  { name: 'is slow, and does not happen in time', fault: 'hangs', limit: short },
  { name: 'is where the process dies, before it happens', fault: 'dies' },
];

/** A call that a scenario makes: the nth of its operation, from 0. */
interface Place {
  readonly operation: string;
  readonly nth: number;
}

interface Tried {
  readonly first: Answer;
  readonly verdict: Verdict;
  readonly calls: readonly string[];
}

/** How long a function has else: longer than what it tries again, in milliseconds. */
const usual = 2_000;

let later = 0;

/** Tries a scenario in a fresh state, with something that goes wrong at one call, unless nothing does. */
async function attempt(
  scenario: Scenario,
  plan?: { place: Place; planned: Planned },
  limit = plan?.planned.limit ?? usual,
): Promise<Tried> {
  const at = scenario.alone ? now + 600_000 * later++ : now;
  const subject = await scenario.begin(at);
  await refillRetries();
  const sandbox = new Sandbox(at);
  if (plan) {
    const { place, planned } = plan;
    sandbox.plan(place.operation, planned.fault, planned.times ?? 1, place.nth);
  }
  const trial = new Trial();
  const first = await trial.run(() => subject.act(limit), sandbox);
  // On a machine that is busy the time may be up before.
  if (plan && sandbox.faults === 0) return attempt(scenario, plan, limit * 2);
  const calls = [...sandbox.made];
  const verdict = await subject.judge(first, trial);
  verdict.unhandled += trial.nameless.length;
  for (const error of trial.nameless) verdict.hold(false, `it threw ${error.stack}`);
  verdict.hold(!/(dog|owner|new)@example\.com/.test(trial.logged), 'an address is logged in clear');
  return { first, verdict, calls };
}

function placesOf(calls: readonly string[]): Place[] {
  return calls.map((operation, i) => ({
    operation,
    nth: calls.slice(0, i).filter((one) => one === operation).length,
  }));
}

/** Returns true if two tries of a scenario have the same result, and sent the same mail. */
function isSame(one: Tried, other: Tried): boolean {
  const resultOf = ({ first, verdict }: Tried) => [first.kind, statusOf(first), verdict.mail].join();
  return resultOf(one) === resultOf(other);
}

/** Does something for each of a list, a few at once. */
async function forEach<Item>(items: readonly Item[], atOnce: number, act: (item: Item) => Promise<void>) {
  const left = [...items];
  const next = async (): Promise<void> => {
    const item = left.shift();
    if (item === undefined) return;
    await act(item);
    return next();
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** The columns of the table of figures. */
function newFigures() {
  return {
    faults: 0,
    'done (2xx, 3xx)': 0,
    'refused (4xx)': 0,
    'failed (5xx)': 0,
    'no answer': 0,
    lost: 0,
    doubled: 0,
    contradictions: 0,
    unhandled: 0,
    ...(Object.fromEntries(fates.map((fate) => [fate, 0])) as Record<Fate, number>),
  };
}

function count(figures: ReturnType<typeof newFigures>, { first, verdict }: Tried): void {
  figures.faults += 1;
  figures.lost += verdict.lost;
  figures.doubled += verdict.doubled;
  figures.contradictions += verdict.wrong.length;
  figures.unhandled += verdict.unhandled;
  if (verdict.mail) figures[verdict.mail] += 1;
  if (isDone(first)) figures['done (2xx, 3xx)'] += 1;
  else if (isRefused(first)) figures['refused (4xx)'] += 1;
  else if (first.kind === 'died') figures['no answer'] += 1;
  else figures['failed (5xx)'] += 1;
}

const never = {
  lost: 0,
  doubled: 0,
  contradictions: 0,
  unhandled: 0,
  'sent twice': 0,
  'not sent, not told': 0,
};

describe('Whatever goes wrong with a call of AWS, what is promised holds', () => {
  test.each(scenarios.map((scenario) => [scenario.of, scenario.as, scenario] as const))(
    '%s %s',
    async (_of, _as, scenario) => {
      const clean = await attempt(scenario);
      const { wrong, lost, doubled, unhandled, mail = 'mail sent once' } = clean.verdict;
      expect({ wrong, lost, doubled, unhandled }).toEqual({ wrong: [], lost: 0, doubled: 0, unhandled: 0 });
      expect(mail).toBe(scenario.mail ?? 'mail sent once');
      expect(scenario.refuses ? isRefused(clean.first) : isDone(clean.first)).toBe(true);
      const plans = placesOf(clean.calls).flatMap((place) =>
        (isThorough ? thorough : daily)
          .filter(({ only }) => only?.includes(place.operation) ?? true)
          .map((planned) => ({ place, planned })),
      );
      expect(plans.length).toBeGreaterThan(0);
      const figures = newFigures();
      const found: string[] = [];
      await forEach(plans, scenario.alone ? 1 : 8, async (plan) => {
        const tried = await attempt(scenario, plan);
        count(figures, tried);
        const { verdict } = tried;
        const told = [...verdict.wrong];
        if (verdict.lost > 0) told.push('something is lost');
        if (verdict.doubled > 0) told.push('something is doubled');
        if (verdict.mail === 'sent twice' || verdict.mail === 'not sent, not told') told.push(verdict.mail);
        if (plan.planned.survived && !isSame(tried, clean))
          told.push('the result is another than without the fault');
        const { operation, nth } = plan.place;
        found.push(...told.map((what) => `${operation} ${nth + 1} ${plan.planned.name}: ${what}`));
      });
      tell({ part: 'Faults', of: scenario.of, figures });
      expect(found).toEqual([]);
      expect(figures).toMatchObject(never);
    },
    120_000,
  );

  test('no rejection is left unhandled', () => expect(unhandledRejections()).toBe(0));
});
