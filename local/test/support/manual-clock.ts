import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';

interface Wake {
  readonly time: number;
  readonly call: () => void;
}

/** A clock that moves only when a test advances it. */
export class ManualClock implements Clock {
  private time: number;
  private readonly wakes = new Set<Wake>();

  constructor(time: number | string = '2026-11-21T12:00:00Z') {
    this.time = new Date(time).getTime();
  }

  now(): number {
    return this.time;
  }

  wakeAt(time: number | null, call: () => void): () => void {
    if (time === null) return () => {};
    const wake = { time, call };
    this.wakes.add(wake);
    return () => this.wakes.delete(wake);
  }

  advance(milliseconds: number): Promise<void> {
    return this.advanceTo(this.time + milliseconds);
  }

  /** Advances the time, and makes the calls that become due, each at its own time. Includes calls that are added meanwhile. */
  async advanceTo(time: number | string): Promise<void> {
    const end = new Date(time).getTime();
    for (;;) {
      // A promise that a call has created can schedule the next call.
      await turn();
      const [next] = [...this.wakes].filter((wake) => wake.time <= end).sort((a, b) => a.time - b.time);
      if (!next) break;
      this.time = Math.max(this.time, next.time);
      this.wakes.delete(next);
      next.call();
    }
    this.time = end;
  }
}
