import { printable } from '../printable.ts';

/** The result of a check. Only `FAILED` prevents a deployment. `unknown` means that the credentials do not permit the check. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'unknown' | 'FAILED';
  /** What the check is about, in one or two words. */
  readonly subject: string;
  /** What was found and, unless the state is `ok`, the remedy. One line. */
  readonly text: string;
}

export type Result = Omit<Finding, 'subject'>;

export const ok = (text: string): Result => ({ state: 'ok', text });
export const note = (text: string): Result => ({ state: 'note', text });
export const failed = (text: string): Result => ({ state: 'FAILED', text });

export const lineOf = ({ state, subject, text }: Finding) =>
  `${state.padEnd(7)}  ${subject.padEnd(12)}  ${printable(text)}`;

/** Getting credentials from a program or a sign-in page can take a few seconds. */
const timeoutMs = 10_000;

/**
 * Runs a check. If the check throws or takes too long, the finding states the reason.
 *
 * @param service the AWS service that the check calls
 */
export async function find(subject: string, service: string, check: () => Promise<Result>): Promise<Finding> {
  const { promise: timeout, resolve } = Promise.withResolvers<Result>();
  const seconds = timeoutMs / 1000;
  const timer = setTimeout(
    () =>
      resolve(
        failed(
          `${service} did not respond within ${seconds} seconds. Check the region, the network and the proxy.`,
        ),
      ),
    timeoutMs,
  );
  try {
    return { subject, ...(await Promise.race([check(), timeout])) };
  } catch (error) {
    return { subject, ...resultOf(error as Error, service) };
  } finally {
    clearTimeout(timer);
  }
}

/** Only errors that a service returned contain `$fault`. Network errors contain a `code`. */
function resultOf(
  error: Error & { readonly $fault?: string; readonly code?: string },
  service: string,
): Result {
  if (error.name.startsWith('AccessDenied'))
    return { state: 'unknown', text: `The credentials do not permit this check. ${error.message}` };
  if (error.$fault === undefined && error.code !== undefined)
    return failed(
      `${service} cannot be reached (${error.code}). Check the region, the network and the proxy.`,
    );
  return failed(`${service} refused the check: ${error.name}: ${error.message}`);
}
