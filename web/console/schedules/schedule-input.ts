export interface ScheduleFields {
  /** `B` patches the dog, and `C` posts a bark-schedule. */
  readonly variant: 'B' | 'C';
  /** A local time in the format of a `datetime-local` control. Empty means now. */
  readonly time: string;
  /** Empty means once. */
  readonly minutes: string;
  readonly token: string;
}

/** `next` is in Unix seconds (0 means now), and `frequency` is in minutes (0 means once). */
export interface ScheduleInput {
  readonly next: number;
  readonly frequency: number;
}

export function inputIn({ time, minutes }: ScheduleFields): ScheduleInput {
  return {
    next: time === '' ? 0 : Math.floor(Date.parse(time) / 1000),
    frequency: Number(minutes),
  };
}
