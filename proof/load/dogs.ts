import type { DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { isCounted, isRecorded, sendsMail } from '../../test/faults/model/effect-rules.ts';
import type { Outcome } from './journal.ts';
import type { Stored } from './stored.ts';

/** A client's request to bark, and its outcome. */
export interface BarkAttempt {
  /** The text of the mail, if the bark sends one. It is unique. */
  readonly message: string;
  readonly outcome: Outcome;
  readonly isAsync: boolean;
  readonly inHistory: boolean;
  readonly bark: string | undefined;
  /** True if the cancellation of the bark was acknowledged. */
  cancelled?: boolean;
}

/** Returns true if the client does not know whether the bark happened. */
export function isUnknown({ outcome }: BarkAttempt): boolean {
  return outcome === 'failed' || outcome === 'no response';
}

/** An incarnation of a dog, with the requests that made it bark. */
export class LoadDog {
  readonly id: string;
  readonly path: string;
  readonly settings: DogSettings;
  readonly isRecorded: boolean;
  readonly isCounted: boolean;
  readonly sendsMail: boolean;
  readonly attempts: BarkAttempt[] = [];
  /** The number of schedules that clients have set, each of which begins with an immediate bark. */
  schedules = 0;
  /** The number of requests to set a schedule that got no response or a 5xx, and were repeated. */
  unknown = 0;
  /** The first occurrence, in Unix seconds, of a schedule that makes the dog bark every minute. */
  start = Number.POSITIVE_INFINITY;
  /** What the service had stored when a client deleted the dog. */
  stored?: Stored;

  constructor(id: string, barkEffects: Effect[], barkHandling: DogSettings['barkHandling'] = 'sync') {
    this.id = id;
    this.isRecorded = isRecorded(barkEffects);
    this.isCounted = isCounted(barkEffects);
    this.sendsMail = sendsMail(barkEffects);
    this.path = `/v1/dogs/${id}/`;
    this.settings = {
      email: `${id}@example.com`,
      owner: `mailto:owner-of-${id}@example.com`,
      barkEffects,
      barkHandling,
    };
  }

  /** Returns the times of the occurrences of this schedule up to a time. All times are in Unix seconds. */
  occurrences(until: number): number[] {
    const count = Math.max(0, Math.floor((until - this.start) / 60) + 1);
    return Array.from({ length: count }, (_, n) => this.start + n * 60);
  }
}

const effects: Effect[][] = [
  ['emailDog'],
  ['count'],
  ['record'],
  ['emailOwner', 'count'],
  ['emailDog', 'emailOwner', 'record'],
];
const countingEffects = effects.slice(1);

/** The number of dogs with one schedule. An occurrence of one of them is due every five seconds. */
const steadyDogs = 12;

/** The maximum number of passing dogs that exist at the same time. */
const passingDogs = 4;

export interface Dogs {
  readonly barking: readonly LoadDog[];
  /** Dogs with one schedule, which makes them bark every minute. */
  readonly steady: readonly LoadDog[];
  /** Dogs whose schedule clients often replace. */
  readonly restless: readonly LoadDog[];
  /** The IDs that no passing dog currently uses. */
  readonly free: string[];
  /** The deleted passing dogs: clients create them, make them bark, and delete them. */
  readonly gone: LoadDog[];
}

export function newDogs(): Dogs {
  const name = (chosen: readonly string[]) => chosen.join('-').replaceAll('email', 'mail');
  return {
    barking: (['sync', 'async'] as const).flatMap((handling) =>
      effects.map((chosen) => new LoadDog(`${name(chosen)}-${handling}`, chosen, handling)),
    ),
    steady: Array.from({ length: steadyDogs }, (_, n) => {
      const chosen = countingEffects[n % countingEffects.length] ?? [];
      return new LoadDog(`steady-${n}-${name(chosen)}`, chosen);
    }),
    restless: [
      new LoadDog('restless-record', ['record']),
      new LoadDog('restless-mail', ['emailDog', 'count']),
    ],
    free: Array.from({ length: passingDogs }, (_, n) => `passing-${n}`),
    gone: [],
  };
}
