import type { Outcome } from './journal.ts';
import type { Stored } from './stored.ts';

/** A bark that a client asked for. */
export interface Ask {
  /** What its mail says, and no other's, if there is a mail. */
  readonly message: string;
  readonly outcome: Outcome;
  /** True for one that takes effect later. */
  readonly later: boolean;
  /** True if it leaves a note. */
  readonly noted: boolean;
  /** The id that the answer named, if it named one. */
  readonly bark: string | undefined;
  /** True if its cancellation was acknowledged. */
  cancelled?: boolean;
  /** How one that takes effect later has ended. */
  end?: { readonly status: string; readonly reason?: string };
}

/** True if nobody has told its client what became of it. */
export function isUnknown({ outcome }: Ask): boolean {
  return outcome === 'failed' || outcome === 'unanswered';
}

export interface Settings {
  readonly email: string;
  readonly owner: string;
  readonly barkEffects: readonly string[];
  readonly barkHandling: 'sync' | 'async';
}

/** A dog, and all that was asked of it in one incarnation. */
export class LoadDog {
  readonly id: string;
  readonly path: string;
  readonly settings: Settings;
  readonly asks: Ask[] = [];

  constructor(id: string, barkEffects: readonly string[], barkHandling: Settings['barkHandling'] = 'sync') {
    this.id = id;
    this.path = `/v1/dogs/${id}/`;
    this.settings = {
      email: `${id}@example.com`,
      owner: `mailto:owner-of-${id}@example.com`,
      barkEffects,
      barkHandling,
    };
  }

  get isRecorded(): boolean {
    return this.settings.barkEffects.includes('record');
  }

  get isCounted(): boolean {
    return this.isRecorded || this.settings.barkEffects.includes('count');
  }

  get sendsMail(): boolean {
    return this.settings.barkEffects.some((effect) => effect.startsWith('email'));
  }
}

/** A dog whose schedule is set once, and barks every minute from its start on. */
export class SteadyDog extends LoadDog {
  /** The first slot, in Unix seconds. */
  start = 0;

  /** Its slots until a time in Unix seconds. */
  slots(until: number): number[] {
    const count = Math.max(0, Math.floor((until - this.start) / 60) + 1);
    return Array.from({ length: count }, (_, n) => this.start + n * 60);
  }
}

/** A dog whose schedule clients set again and again, each time with a bark at once. */
export class RestlessDog extends LoadDog {
  /** How many schedules were set. */
  applied = 0;
  /** How many of the requests for that had no answer, or 5xx, and were sent again. */
  unknown = 0;
}

/** A dog that is made, barks, and is deleted again. */
export class PassingDog extends LoadDog {
  /** What it told and what was stored of it, before it was deleted. */
  stored: Stored = { barking: false, count: 0, notes: [], listed: [] };
}

const effects = [
  ['emailDog'],
  ['count'],
  ['record'],
  ['emailOwner', 'count'],
  ['emailDog', 'emailOwner', 'record'],
];
const countingEffects = effects.slice(1);

/** How many dogs bark by their schedules; a slot of one of them comes every five seconds. */
const steadyDogs = 12;

/** How many dogs come and go at once, at most. */
const passingDogs = 4;

/** The dogs of a load. */
export interface Dogs {
  readonly barking: readonly LoadDog[];
  readonly steady: readonly SteadyDog[];
  readonly restless: readonly RestlessDog[];
  /** The ids of passing dogs that are free at the moment. */
  readonly free: string[];
  /** The passing dogs that are gone. */
  readonly gone: PassingDog[];
}

export function newDogs(): Dogs {
  const name = (chosen: readonly string[]) => chosen.join('-').replaceAll('email', 'mail');
  return {
    barking: (['sync', 'async'] as const).flatMap((handling) =>
      effects.map((chosen) => new LoadDog(`${name(chosen)}-${handling}`, chosen, handling)),
    ),
    steady: Array.from({ length: steadyDogs }, (_, n) => {
      const chosen = countingEffects[n % countingEffects.length] ?? [];
      return new SteadyDog(`steady-${n}-${name(chosen)}`, chosen);
    }),
    restless: [
      new RestlessDog('restless-record', ['record']),
      new RestlessDog('restless-mail', ['emailDog', 'count']),
    ],
    free: Array.from({ length: passingDogs }, (_, n) => `passing-${n}`),
    gone: [],
  };
}
