/** The limits of the reference model. A limit that is absent does not apply. */
interface ModelLimits {
  readonly barksPerDog?: number;
  readonly barksPerUser?: number;
  readonly mailsPerDog?: number;
  readonly mailsPerUser?: number;
  readonly limitWindowMinutes: number;
}

/** The limits, and what the dogs and users have used of them. Each key contains the window. */
export interface Limited {
  readonly limits: ModelLimits;
  readonly used: Record<string, number>;
}

/** Counts a bark that a user requests. Returns false, and counts nothing, if a limit is reached. @param at Unix seconds */
export function countBark(
  { limits, used }: Limited,
  { dog, user, mails }: { readonly dog: string; readonly user: string; readonly mails: number },
  at: number,
): boolean {
  const window = windowOf(limits, at);
  return count(used, [
    { key: `barks of dog ${dog} in ${window}`, limit: limits.barksPerDog },
    { key: `barks of user ${user} in ${window}`, limit: limits.barksPerUser },
    ...(mails > 0
      ? [
          { key: `mails of dog ${dog} in ${window}`, limit: limits.mailsPerDog },
          { key: `mails of user ${user} in ${window}`, limit: limits.mailsPerUser },
        ]
      : []),
  ]);
}

/** Counts the mail of an occurrence. Returns false if the dog's emails have reached their limit, so the mail is dropped. */
export function countScheduledMail({ limits, used }: Limited, dog: string, at: number): boolean {
  return count(used, [{ key: `mails of dog ${dog} in ${windowOf(limits, at)}`, limit: limits.mailsPerDog }]);
}

function count(
  used: Record<string, number>,
  places: readonly { readonly key: string; readonly limit: number | undefined }[],
): boolean {
  const limited = places.filter(({ limit }) => limit !== undefined);
  if (limited.some(({ key, limit }) => (used[key] ?? 0) === limit)) return false;
  for (const { key } of limited) used[key] = (used[key] ?? 0) + 1;
  return true;
}

/** Returns the number of the window, counted from 1970. */
function windowOf({ limitWindowMinutes }: ModelLimits, at: number): number {
  let minutes = (at - (at % 60)) / 60;
  while (minutes % limitWindowMinutes !== 0) minutes -= 1;
  return minutes;
}
