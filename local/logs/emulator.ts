import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, json, jsonError } from '../endpoint/response.ts';
import { parseJson } from '../platform/json.ts';
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
  return async ({ headers, body }) => {
    const operation = headers['x-amz-target']?.split('.').at(-1) ?? '';
    const request = (parseJson(body.toString('utf8')) ?? {}) as Request;
    if (operation !== 'FilterLogEvents' || request.filterPattern)
      return jsonError(
        400,
        'UnknownOperationException',
        `The local cloud supports only FilterLogEvents without a filter pattern, not ${operation}.`,
      );
    return filter(logEvents, request);
  };
}

function filter(
  logEvents: LogEvents,
  {
    logGroupName = '',
    startTime = 0,
    endTime = Number.MAX_SAFE_INTEGER,
    limit = maximumLimit,
    nextToken,
  }: Request,
): AwsResponse {
  if (!logEvents.has(logGroupName))
    return jsonError(400, 'ResourceNotFoundException', 'The specified log group does not exist.');
  const found = logEvents.read(logGroupName, {
    from: startTime,
    to: endTime,
    after: Number(nextToken ?? 0),
    limit: Math.min(limit, maximumLimit),
  });
  const last = found.at(-1);
  return json(
    {
      events: found.map(({ id, at, message }) => ({
        eventId: id,
        logStreamName: 'events',
        timestamp: at,
        ingestionTime: at,
        message,
      })),
      searchedLogStreams: [],
      ...(last && found.length === limit && { nextToken: String(last.position) }),
    },
    'application/x-amz-json-1.1',
  );
}
