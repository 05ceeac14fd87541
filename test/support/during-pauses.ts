import { type Process, running } from './faults.ts';

interface Pauses {
  /** Milliseconds, in order. */
  readonly durations: number[];
  /** Happens during each pause. @param nth the number of the pause, from 0 */
  during(nth: number): Promise<unknown>;
}

const ofProcesses = new WeakMap<Process, Pauses>();

/** Makes the pause of the current process happen, without its duration. */
export async function happen(milliseconds: number): Promise<void> {
  const pauses = ofProcesses.get(running());
  pauses?.durations.push(milliseconds);
  await pauses?.during(pauses.durations.length - 1);
}

/** Returns how long the current process has paused, in seconds. */
export function pausedSeconds(): number {
  const { durations = [] } = ofProcesses.get(running()) ?? {};
  return durations.reduce((sum, duration) => sum + duration, 0) / 1_000;
}

/** Makes something happen during the pauses of the current process. Returns the pauses, to which each pause is added. */
export function duringPauses(during: Pauses['during'] = async () => {}): Pauses['durations'] {
  const durations: number[] = [];
  ofProcesses.set(running(), { durations, during });
  return durations;
}
