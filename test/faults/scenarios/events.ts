import { cancelBark } from '../../../lambdas/domain/barks/cancel.ts';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../lambdas/domain/dogs/delete.ts';
import { endSchedule, postSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { handler as failBark } from '../../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../../lambdas/jobs/perform-bark.ts';
import { handler as publishEvents } from '../../../lambdas/jobs/publish-events.ts';
import { context } from '../../../tools/invocation.ts';
import { acceptBark } from '../../support/barks.ts';
import { giveBarks, newDog } from '../../support/dogs.ts';
import { publishedOf } from '../../support/published-events.ts';
import { recordsOf, type StreamRecord } from '../../support/streams.ts';
import {
  again,
  at,
  newContext,
  now,
  request,
  type Scenario,
  type Subject,
  type Verdict,
} from '../scenario.ts';
import { type InvocationResult, isDone, Sandbox, statusOf, type Trial } from '../trial.ts';

/** The maximum number of attempts of the test. Lambda makes more. */
const maxAttempts = 6;

/** Sends records to the function as Lambda does: from the reported record on, or all again if the function throws. */
class Delivery {
  private left: readonly StreamRecord[];

  constructor(records: readonly StreamRecord[]) {
    this.left = records;
  }

  readonly act: Subject['act'] = (limit) => publishEvents({ Records: this.left }, context(2_000 + limit));

  /** Continues after an invocation until all records are processed, or until the attempts are exhausted. */
  async complete(first: InvocationResult, trial: Trial): Promise<boolean> {
    let last = first;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const reported = reportedIn(last);
      if (reported === 'none') return true;
      if (reported !== undefined)
        this.left = this.left.slice(
          this.left.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === reported),
        );
      last = await again(this.act, trial, attempt + 1);
    }
    return reportedIn(last) === 'none';
  }
}

/** Returns the reported record, `none` if all records are processed, or undefined if the function threw or died. */
function reportedIn(result: InvocationResult): string | undefined {
  if (result.kind !== 'returned') return undefined;
  const { batchItemFailures } = result.value as { batchItemFailures: { itemIdentifier: string }[] };
  return batchItemFailures.length === 0 ? 'none' : batchItemFailures[0]?.itemIdentifier;
}

/** Checks that each expected event was published at least once, that no other was, and that their order holds. */
function checkEvents(verdict: Verdict, dog: string, expected: readonly string[]): void {
  const events = publishedOf(dog);
  // After a fault, the events from the first failed one on are published again, in order.
  const last = events.filter(({ id }, i) => events.findLastIndex((one) => one.id === id) === i);
  const types = last.map(({ type }) => type.replace(/^dogs\./, ''));
  verdict.expectThat(types.join() === expected.join(), `the events are ${types}, not ${expected}`);
  const sequences = last.map(({ sequence }) => sequence);
  verdict.expectThat(sequences.join() === [...sequences].sort().join(), 'the sequence is not in order');
  const copies = new Map(events.map((event) => [event.id, JSON.stringify(event)]));
  verdict.expectThat(
    events.every((event) => copies.get(event.id) === JSON.stringify(event)),
    'two deliveries of an event differ',
  );
}

function publishing(
  as: string,
  table: 'dogs' | 'barks',
  live: (dog: string) => Promise<readonly string[]>,
): Scenario {
  return {
    of: 'publish-events',
    as,
    async begin() {
      const dog = await newDog('sync', ['record']);
      // The preparation happens in a process of its own, so that its calls are not those of the scenario.
      const expected = (await new Sandbox(now).run(() => live(dog))) ?? [];
      const delivery = new Delivery(recordsOf(dog)[table]);
      return {
        act: delivery.act,
        async check(verdict, first, trial) {
          verdict.expectThat(await delivery.complete(first, trial), 'the stream is blocked');
          checkEvents(verdict, dog, expected);
        },
      };
    },
  };
}

/** All kinds of barks. Their events need more than one call of PutEvents. */
async function allBarks(dog: string): Promise<readonly string[]> {
  await giveBarks(dog, 10);
  await performBark({ dog, bark: await acceptBark(dog, newContext()) }, context());
  await failBark({ dog, bark: await acceptBark(dog, newContext()) }, context());
  await cancelBark(dog, await acceptBark(dog, newContext()), newContext());
  await postSchedule(dog, { token: 1, next: 0, frequency: 10 }, newContext());
  const complete = 'bark.completed';
  return [...Array(11).fill(complete), 'bark.failed', 'bark.cancelled', complete];
}

async function dogAndSchedules(dog: string): Promise<readonly string[]> {
  await postSchedule(dog, { token: 1, next: at + 600, frequency: 10 }, newContext());
  await createBark(dog, {}, newContext());
  await postSchedule(dog, { token: 2, next: at + 1200, frequency: 10 }, newContext());
  await endSchedule(dog, newContext());
  await postSchedule(dog, { token: 3, next: 0, frequency: null }, newContext());
  await postSchedule(dog, { token: 4, next: at + 600, frequency: 10 }, newContext());
  await deleteDog(dog, {}, newContext());
  const [set, ended] = ['schedule.set', 'schedule.ended'];
  const schedules = [set, 'schedule.replaced', ended, set, ended, set, ended];
  return ['dog.created', ...schedules, 'dog.deleted'];
}

const sentBark: Scenario = {
  of: 'POST barks',
  as: 'emailDog, events are on',
  alone: true,
  async begin() {
    process.env.PUBLISHES_EVENTS = 'true';
    const dog = await newDog('sync', ['emailDog']);
    const act = request('PostBarks', { pathParameters: { dog_id: dog } });
    return {
      act,
      async check(verdict, first, trial) {
        verdict.checkResponse(first, 200, 502, 504);
        verdict.recordMail(trial.sent.length, !isDone(first));
        const stored = recordsOf(dog).barks;
        if (isDone(first)) verdict.expectThat(stored.length === 1, `${stored.length} barks are stored`);
        verdict.expectThat(stored.length <= trial.sent.length, 'a bark is stored, but its mail was not sent');
        const second = await again(act, trial);
        verdict.expectThat(statusOf(second) === 200, `the next bark is ${statusOf(second)}`);
        const records = recordsOf(dog).barks;
        verdict.expectThat(records.length === stored.length + 1, `${records.length} barks are stored`);
        await new Sandbox(now).run(() => publishEvents({ Records: records }, context()));
        checkEvents(
          verdict,
          dog,
          records.map(() => 'bark.completed'),
        );
        delete process.env.PUBLISHES_EVENTS;
      },
    };
  },
};

export const events: readonly Scenario[] = [
  publishing('of all kinds of barks', 'barks', allBarks),
  publishing('of a dog and its schedules', 'dogs', dogAndSchedules),
  sentBark,
];
