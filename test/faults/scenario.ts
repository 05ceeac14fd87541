import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invoke } from '../support/invoke.ts';
import { contradictionsOf, type State, setbacksOf, stateOf } from './state.ts';
import { type Answer, isDone, Sandbox, statusOf, type Trial } from './trial.ts';

/** When each scenario takes place, in milliseconds; its dogs were made before. */
export const now = Date.UTC(2026, 10, 21, 13);

/** Time enough for a function, in milliseconds. */
export const ample = 8_000;

/** One thing that one function is asked to do. */
export interface Scenario {
  /** The function, as the table of figures has it. */
  readonly of: string;
  /** What is special about this one. */
  readonly as: string;
  /** True if it shares more with others than a database: what is kept in memory, or in a variable. */
  readonly alone?: true;
  /** True if it is refused where nothing goes wrong. */
  readonly refuses?: boolean;
  /** What becomes of its mail where nothing goes wrong; if it has one, it is sent once, unless told. */
  readonly mail?: Fate;
  /** Makes a state that no other scenario knows of. @param at when it takes place, in milliseconds */
  begin(at: number): Promise<Subject>;
}

/** A scenario in a state of its own. */
export interface Subject {
  /** Calls the function, once. @param limit how long it may take before it gives up, in milliseconds */
  act(limit: number): Promise<unknown>;
  /** Goes on as its caller would, whatever came of the call, and judges what there is then. */
  judge(first: Answer, trial: Trial): Promise<Verdict>;
}

/** What became of the mail of a bark, and whether anybody was told. */
export const fates = [
  'mail sent once',
  'not sent, told',
  'perhaps sent, told',
  'sent twice',
  'not sent, not told',
] as const;
export type Fate = (typeof fates)[number];

/** What there is to say of a trial. */
export class Verdict {
  readonly wrong: string[] = [];
  /** Counts and records that were promised and are not there, and those that are there too often. */
  lost = 0;
  doubled = 0;
  /** Answers that nobody foresaw: a 500, or none at all from a function that is alive. */
  unhandled = 0;
  mail: Fate | undefined;

  hold(holds: boolean, what: string): void {
    if (!holds) this.wrong.push(what);
  }

  /** Holds a state to itself, and to the one before. */
  whole(state: State, before?: State): void {
    this.wrong.push(...contradictionsOf(state, before));
  }

  /** Holds the dog of a state to how it was before. */
  goesOn(after: State, before: State): void {
    this.wrong.push(...(after.dog ? setbacksOf(after.dog, before.dog) : ['the dog is gone']));
  }

  /** Holds a number of barks to what was promised. */
  barks(found: number, { least, most = least }: { least: number; most?: number }): void {
    this.lost += Math.max(0, least - found);
    this.doubled += Math.max(0, found - most);
  }

  /** @param told whether anybody was told that the mail was not, or perhaps not, sent */
  mailed(count: number, told: boolean): void {
    if (count > 1) this.mail = 'sent twice';
    else if (count === 1) this.mail = told ? 'perhaps sent, told' : 'mail sent once';
    else this.mail = told ? 'not sent, told' : 'not sent, not told';
  }

  /** Holds an answer to what a client may be told where nothing is wrong with its request. */
  answered(answer: Answer, ...usual: number[]): void {
    const status = statusOf(answer);
    if (answer.kind === 'thrown' || status === 500) this.unhandled += 1;
    const said = answer.kind === 'answered' ? answer.result.body : '';
    this.hold([...usual, 503, 0].includes(status), `the answer is ${status}: ${said}`);
    if (answer.kind !== 'answered') return;
    const { statusCode, headers = {}, body } = answer.result;
    for (const name of ['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id'])
      this.hold(name in headers, `the answer has no ${name}`);
    if (statusCode === 503) this.hold('Retry-After' in headers, 'the 503 has no Retry-After');
    if (statusCode >= 400) this.hold(statusCode === Number(JSON.parse(body).status ?? statusCode), body);
    if (statusCode === 204 || statusCode === 205) this.hold(body === '', `the ${statusCode} has a body`);
  }
}

type Changes = Partial<Omit<APIGatewayProxyEvent, 'headers'>> & { headers?: Record<string, string> };

/** A request to a route, by its sample event, in which some fields are others. */
export function request(handler: unknown, sample: string, changes: Changes): Subject['act'] {
  return (limit) => invoke(handler, sample, { ...changes, remaining: 2_000 + limit });
}

/** Calls a function once more, with nothing wrong, so many seconds later. */
export function again(act: Subject['act'], trial: Trial, after = 1, from = now): Promise<Answer> {
  return trial.run(() => act(ample), new Sandbox(from + after * 1000));
}

/**
 * A request that is the same however often it is sent: it is answered in full or fails, and the client sends it until it
 * is answered.
 *
 * @param check what else there is to say, of the state after the first answer and of the one at the end
 */
export async function judgeRepeatable(
  { dog, before, act, usual }: { dog: string; before: State; act: Subject['act']; usual: number[] },
  first: Answer,
  trial: Trial,
  check: (verdict: Verdict, after: State, end: State) => Promise<void> | void,
): Promise<Verdict> {
  const verdict = new Verdict();
  verdict.answered(first, ...usual);
  const after = await stateOf(dog);
  verdict.whole(after, before);
  const second = await again(act, trial);
  verdict.answered(second, ...usual);
  verdict.hold(isDone(second), `the repeat is ${statusOf(second)}`);
  const end = await stateOf(dog);
  verdict.whole(end, after);
  await check(verdict, after, end);
  return verdict;
}
