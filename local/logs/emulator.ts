import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { jsonOperations } from '../endpoint/json-operations.ts';
import type { Clock } from '../platform/clock.ts';
import { check } from '../platform/service-error.ts';
import { openStore, type Store } from '../platform/store.ts';
import type { Template } from '../template/template.ts';

interface Request {
  readonly logGroupName?: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly limit?: number;
  readonly nextToken?: string;
  readonly filterPattern?: string;
}

const maximumEvents = 10_000;

const dayMs = 24 * 60 * 60 * 1000;

interface LogEvent extends Record<'position' | 'id' | 'at', unknown> {
  readonly message: string;
}

/**
 * Only EventBridge rules write to the log groups. Log events survive restarts.
 *
 * @see {@link https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html FilterLogEvents}
 */
export class LogsEmulator {
  private readonly store: Store;
  private readonly clock: Pick<Clock, 'now'>;
  /** In milliseconds, by the name of the log group. */
  private retentions: ReadonlyMap<string, number> = new Map();

  constructor(template: Template, file: string, clock: Pick<Clock, 'now'>) {
    this.clock = clock;
    this.store = openStore(file);
    this.store.exec(
      'CREATE TABLE IF NOT EXISTS log_events (position INTEGER PRIMARY KEY, id TEXT, log_group TEXT, at INTEGER, message TEXT);' +
        'CREATE INDEX IF NOT EXISTS log_events_by_time ON log_events (log_group, at)',
    );
    this.deploy(template);
  }

  deploy(template: Template): void {
    this.retentions = new Map(
      template.ofType('AWS::Logs::LogGroup').map((resource) => {
        const { RetentionInDays: days = Number.POSITIVE_INFINITY } = resource.properties;
        return [template.idOf(resource), days * dayMs];
      }),
    );
  }

  stop(): void {
    this.store.close();
  }

  /** Also deletes the group's expired events. */
  put(groupName: string, message: string): void {
    const retentionMs = this.retentions.get(groupName);
    if (retentionMs === undefined) throw new Error(`The template has no log group ${groupName}.`);
    const now = this.clock.now();
    const oldest = Math.max(0, now - retentionMs);
    this.store.run('DELETE FROM log_events WHERE log_group = ? AND at < ?', groupName, oldest);
    const sql = 'INSERT INTO log_events (id, log_group, at, message) VALUES (?, ?, ?, ?)';
    this.store.run(sql, randomUUID(), groupName, now, message);
  }

  readonly serve: Emulator = jsonOperations(
    'CloudWatch Logs',
    { FilterLogEvents: (request: Request) => this.filter(request) },
    'application/x-amz-json-1.1',
  );

  private filter(request: Request): object {
    const { logGroupName = '', startTime = 0, endTime = Number.MAX_SAFE_INTEGER } = request;
    const { limit = maximumEvents, nextToken = '0', filterPattern } = request;
    check(!filterPattern, 'InvalidParameterException', 'The local cloud does not support filter patterns.');
    const isKnown = this.retentions.has(logGroupName);
    check(isKnown, 'ResourceNotFoundException', 'The specified log group does not exist.');
    check(
      limit >= 1 && limit <= maximumEvents,
      'InvalidParameterException',
      `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: Member must have value from 1 to ${maximumEvents}`,
    );
    check(/^\d+$/.test(nextToken), 'InvalidParameterException', 'The specified nextToken is invalid.');
    const found = this.store.rows<LogEvent>(
      'SELECT position, id, at, message FROM log_events WHERE log_group = ? AND at BETWEEN ? AND ? AND position > ? ORDER BY position LIMIT ?',
      ...[logGroupName, startTime, endTime, Number(nextToken), limit],
    );
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
}
