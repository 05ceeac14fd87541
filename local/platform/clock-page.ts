import type { AwsEndpoint } from '../endpoint/endpoint.ts';
import type { AdjustableClock } from './clock.ts';

/**
 * Lets tests control a clock at a URL:
 *
 * | Request                | Response                                                                    |
 * | ---------------------- | --------------------------------------------------------------------------- |
 * | `GET`                  | `{"now":…}`, in milliseconds since 1970                                     |
 * | `POST ?advance=90000`  | 204, after the clock is set forward (back if the number is negative)        |
 *
 * @param path must be an `unguessablePath`
 */
export function serveClock(endpoint: AwsEndpoint, clock: AdjustableClock, path: string): string {
  endpoint.addAction('POST', path, (query) => clock.advance(Number(query.get('advance'))));
  return endpoint.addPage(path, () => ({
    contentType: 'application/json',
    body: JSON.stringify({ now: clock.now() }),
  }));
}
