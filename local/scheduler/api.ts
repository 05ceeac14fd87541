import type { AwsCall } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { Clock } from '../platform/clock.ts';
import { type Schedule, type ScheduleRequest, scheduleArn } from './definition.ts';
import { check, SchedulerError } from './errors.ts';
import type { ScheduleKey, ScheduleRow, ScheduleStore } from './store.ts';
import type { ScheduleValidator } from './validation.ts';

interface ActionInput {
  /** The name of the schedule in the path. Empty for ListSchedules. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly request: ScheduleRequest;
}

/** The token of the first page: `/` in base64url. */
const firstPageToken = 'Lw';

const statuses = { ValidationException: 400, ResourceNotFoundException: 404, ConflictException: 409 };

/**
 * The API of EventBridge Scheduler: CreateSchedule, GetSchedule, UpdateSchedule, DeleteSchedule and ListSchedules, in the
 * SDK's protocol.
 */
export class SchedulerApi {
  private readonly store: ScheduleStore;
  private readonly validator: ScheduleValidator;
  private readonly clock: Clock;

  constructor(store: ScheduleStore, validator: ScheduleValidator, clock: Clock) {
    this.store = store;
    this.validator = validator;
    this.clock = clock;
  }

  handle({ method, path, body }: AwsCall): AwsResponse {
    const { pathname, searchParams: query } = new URL(path, 'http://scheduler');
    const match = /^\/schedules(?:\/([^/]+))?$/.exec(pathname);
    const [, name] = match ?? [];
    const action = match && this.actions[`${method} ${name === undefined ? 'schedules' : 'schedule'}`];
    if (!action)
      return jsonError(
        400,
        'UnknownOperationException',
        `The local cloud does not support the EventBridge Scheduler request ${method} ${pathname}.`,
      );
    try {
      const request = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
      return responseOf(200, action({ name: decodeURIComponent(name ?? ''), query, request }));
    } catch (error) {
      if (error instanceof SchedulerError)
        return responseOf(statuses[error.name], { Message: error.message }, error.name);
      throw error;
    }
  }

  /**
   * Creates a schedule. A repeat with the same client token returns the same response.
   *
   * @throws SchedulerError ConflictException if the schedule exists, unless the request is such a repeat
   * @throws SchedulerError ResourceNotFoundException if the schedule group does not exist
   * @throws SchedulerError ValidationException if a field is invalid, or the emulator does not support it
   */
  create(name: string, request: ScheduleRequest): object {
    const { GroupName = 'default', ClientToken = null } = request;
    const existing = this.store.read({ groupName: GroupName, name });
    const response = { ScheduleArn: scheduleArn({ GroupName, Name: name }) };
    if (existing && ClientToken !== null && existing.clientToken === ClientToken) return response;
    const now = this.clock.now();
    const schedule = this.validator.scheduleOf(name, request, now);
    if (existing) throw new SchedulerError('ConflictException', `Schedule ${name} already exists.`);
    this.store.write(schedule, { clientToken: ClientToken, created: now, modified: now });
    return response;
  }

  private readonly actions: Record<string, (input: ActionInput) => object> = {
    'POST schedule': ({ name, request }) => this.create(name, request),
    'PUT schedule': ({ name, request }) => this.update(name, request),
    'GET schedule': ({ name, query }) => {
      const { schedule, ...row } = this.find({ groupName: groupIn(query), name });
      const definition: Schedule = JSON.parse(schedule);
      return { ...definition, Arn: scheduleArn(definition), ...datesOf(row) };
    },
    'DELETE schedule': ({ name, query }) => {
      this.store.remove(this.find({ groupName: groupIn(query), name }));
      return {};
    },
    'GET schedules': ({ query }) => this.list(query),
  };

  private update(name: string, request: ScheduleRequest): object {
    const modified = this.clock.now();
    const schedule = this.validator.scheduleOf(name, request, modified);
    const { clientToken, created } = this.find({ groupName: schedule.GroupName, name });
    this.store.write(schedule, { clientToken, created, modified });
    return { ScheduleArn: scheduleArn(schedule) };
  }

  private list(query: URLSearchParams): object {
    const maximum = Number(query.get('MaxResults') ?? 100);
    check(Number.isInteger(maximum) && maximum >= 1 && maximum <= 100, 'MaxResults must be from 1 to 100.');
    const groupName = query.get('ScheduleGroup');
    if (groupName !== null) this.validator.checkGroup(groupName);
    const rows = this.store.page({
      after: keyIn(query.get('NextToken')),
      groupName,
      namePrefix: query.get('NamePrefix') ?? '',
      state: query.get('State'),
      limit: maximum + 1,
    });
    const page = rows.slice(0, maximum);
    const last = page.at(-1);
    return {
      Schedules: page.map(summaryOf),
      ...(rows.length > maximum && last && { NextToken: tokenOf(last) }),
    };
  }

  private find(key: ScheduleKey): ScheduleRow {
    const row = this.store.read(key);
    if (!row) throw new SchedulerError('ResourceNotFoundException', `Schedule ${key.name} does not exist.`);
    return row;
  }
}

function groupIn(query: URLSearchParams): string {
  return query.get('groupName') ?? 'default';
}

function summaryOf({ schedule, ...row }: ScheduleRow): object {
  const definition: Schedule = JSON.parse(schedule);
  const { GroupName, Name, State, Target } = definition;
  return {
    Arn: scheduleArn(definition),
    GroupName,
    Name,
    State,
    Target: { Arn: Target.Arn },
    ...datesOf(row),
  };
}

function datesOf({ created, modified }: Pick<ScheduleRow, 'created' | 'modified'>) {
  return { CreationDate: created / 1000, LastModificationDate: modified / 1000 };
}

/** Returns the token for the page that begins after a schedule. */
function tokenOf({ groupName, name }: ScheduleKey): string {
  return Buffer.from(`${groupName}/${name}`).toString('base64url');
}

/** Returns the key after which a page begins. Without a token, the key is less than that of any schedule. */
function keyIn(token: string | null): ScheduleKey {
  const [groupName = '', name] = Buffer.from(token ?? firstPageToken, 'base64url')
    .toString()
    .split('/');
  check(name !== undefined, 'The NextToken is invalid.');
  return { groupName, name };
}

function responseOf(status: number, body: object, error?: string): AwsResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...(error && { 'x-amzn-ErrorType': error }) },
    body: JSON.stringify(body),
  };
}
