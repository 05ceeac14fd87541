/** In minutes. The frequency 0 means that the dog barks once. */
export const shortestFrequency: number = 1;
export const longestFrequency: number = 525_600;

export const frequencyRule = `must be a whole number of minutes from ${shortestFrequency} to ${longestFrequency}, or 0 to bark once`;

export function isFrequency(minutes: number): boolean {
  return minutes === 0 || (minutes >= shortestFrequency && minutes <= longestFrequency);
}

/** A `next` at most this far in the past means now. */
export const pastToleranceSeconds = 60;

export const maxAheadSeconds = 10 * 365 * 24 * 60 * 60;

export const aheadRule = 'must be at most ten years ahead';
