import type { AwsCall } from '../endpoint/emulator.ts';
import { withServiceErrors } from '../endpoint/json-operations.ts';
import { type AwsResponse, json, jsonError } from '../endpoint/response.ts';
import type { Clock } from '../platform/clock.ts';
import { ServiceError } from '../platform/service-error.ts';
import { type Schedule, type ScheduleRequest, scheduleArn } from './definition.ts';
import type { ScheduleKey, ScheduleRow, ScheduleStore } from './store.ts';
import type { ScheduleValidator } from './validation.ts';

/** The API of EventBridge Scheduler: CreateSchedule, GetSchedule and DeleteSchedule, in the SDK's protocol. */
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
    const { pathname, searchParams } = new URL(path, 'http://scheduler');
    const [, name] = /^\/schedules\/([^/]+)$/.exec(pathname) ?? [];
    const action = this.actions[method];
    if (name === undefined || !action)
      return jsonError(
        400,
        'UnknownOperationException',
        `The local cloud does not support the EventBridge Scheduler request ${method} ${pathname}.`,
      );
    const request = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
    const key = { groupName: searchParams.get('groupName') ?? 'default', name: decodeURIComponent(name) };
    return withServiceErrors(() => json(action(key, request), 'application/json'));
  }

  /**
   * Creates a schedule. A repeat with the same client token returns the same response.
   *
   * @throws ServiceError ConflictException if the schedule exists, unless the request is such a repeat
   * @throws ServiceError ResourceNotFoundException if the schedule group does not exist
   * @throws ServiceError ValidationException if a field is invalid, or the emulator does not support it
   */
  create(name: string, { ClientToken, ...request }: ScheduleRequest): object {
    const { GroupName = 'default' } = request;
    const existing = this.store.read({ groupName: GroupName, name });
    const response = { ScheduleArn: scheduleArn({ GroupName, Name: name }) };
    if (ClientToken !== undefined && existing?.clientToken === ClientToken) return response;
    const now = this.clock.now();
    const schedule = this.validator.scheduleOf(name, request, now);
    if (existing) throw new ServiceError('ConflictException', `Schedule ${name} already exists.`, 409);
    this.store.insert(schedule, ClientToken, now);
    return response;
  }

  private readonly actions: Record<string, (key: ScheduleKey, request: ScheduleRequest) => object> = {
    POST: ({ name }, request) => this.create(name, request),
    GET: (key) => {
      const { schedule, created, modified } = this.find(key);
      const definition: Schedule = JSON.parse(schedule);
      const dates = { CreationDate: created / 1000, LastModificationDate: modified / 1000 };
      return { ...definition, Arn: scheduleArn(definition), ...dates };
    },
    DELETE: (key) => {
      this.store.remove(this.find(key));
      return {};
    },
  };

  private find(key: ScheduleKey): ScheduleRow {
    const row = this.store.read(key);
    if (row) return row;
    throw new ServiceError('ResourceNotFoundException', `Schedule ${key.name} does not exist.`, 404);
  }
}
