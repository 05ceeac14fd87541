import type { Emulator } from '../endpoint/emulator.ts';
import { jsonOperations } from '../endpoint/json-operations.ts';
import { check } from '../platform/service-error.ts';
import type { LogEvents } from './log-events.ts';

interface Request {
  readonly logGroupName?: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly limit?: number;
  readonly nextToken?: string;
  readonly filterPattern?: string;
}

/** The default and the maximum number of events of a response. */
const maximumLimit = 10_000;

/**
 * The emulator of the CloudWatch Logs operation FilterLogEvents, for the log groups that are targets of rules.
 *
 * @see {@link https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html FilterLogEvents}
 */
export function createLogsEmulator(logEvents: LogEvents): Emulator {
  return jsonOperations(
    'CloudWatch Logs',
    { FilterLogEvents: (request: Request) => filter(logEvents, request) },
    'application/x-amz-json-1.1',
  );
}

function filter(
  logEvents: LogEvents,
  {
    logGroupName = '',
    startTime = 0,
    endTime = Number.MAX_SAFE_INTEGER,
    limit = maximumLimit,
    nextToken,
    filterPattern,
  }: Request,
): object {
  check(!filterPattern, 'InvalidParameterException', 'The local cloud does not support filter patterns.');
  check(logEvents.has(logGroupName), 'ResourceNotFoundException', 'The specified log group does not exist.');
  const found = logEvents.read(logGroupName, {
    from: startTime,
    to: endTime,
    after: Number(nextToken ?? 0),
    limit: Math.min(limit, maximumLimit),
  });
  const last = found.at(-1);
  return {
    events: found.map(({ id, at, message }) => ({
      eventId: id,
      logStreamName: 'events',
      timestamp: at,
      ingestionTime: at,
      message,
    })),
    searchedLogStreams: [],
    ...(last && found.length === limit && { nextToken: String(last.position) }),
  };
}
