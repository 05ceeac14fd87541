import type { ProblemType } from '../contract/problem-types.ts';
import type { LimitReached } from '../domain/platform/errors.ts';

/**
 * Returns the type, the detail and the headers of the problem for a limit that is reached. The name of each policy is the name of
 * the setting.
 *
 * @see {@link https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/ RateLimit header fields for HTTP}
 */
export function limitProblem({
  reached,
  windowSeconds,
  secondsLeft,
}: LimitReached): [ProblemType, string, Record<string, string>] {
  const type = reached.some(({ name }) => name.startsWith('barks'))
    ? 'bark-limit-reached'
    : 'mail-limit-reached';
  const sentences = reached.map(
    ({ name, limit }) =>
      `The limit of ${limit} ${name.slice(0, 5)} for each ${name.endsWith('Dog') ? 'dog' : 'user'} in ${windowSeconds / 60} minutes is reached.`,
  );
  const policies = reached.map(({ name, limit }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const remaining = reached.map(({ name }) => `"${name}";r=0;t=${secondsLeft}`);
  return [
    type,
    `${sentences.join(' ')} The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.`,
    {
      'Retry-After': String(secondsLeft),
      'RateLimit-Policy': policies.join(', '),
      RateLimit: remaining.join(', '),
    },
  ];
}
