import type { Emulator } from '../endpoint/emulator.ts';
import { withServiceErrors } from '../endpoint/json-operations.ts';
import { json, jsonError } from '../endpoint/response.ts';
import { log } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import { inTransaction, openStore, type Store } from '../platform/store.ts';
import type { Properties, Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import { type Schedule, type ScheduleRequest, scheduleArn } from './definition.ts';
import { type DeliveryDependencies, deliver } from './delivery.ts';
import { dueOccurrences } from './occurrences.ts';
import { type ScheduleKey, type ScheduleRow, ScheduleStore } from './store.ts';
import { ScheduleValidator } from './validation.ts';

/** Small, so that many missed occurrences do not block the service. */
const schedulesAtOnce = 10;

/**
 * CreateSchedule, GetSchedule and DeleteSchedule, in the SDK's protocol.
 *
 * The time of each schedule's next occurrence is on disk, and advances when the queue of asynchronous invocations has stored the
 * occurrence. The emulator therefore delivers each occurrence at least once, even if the service is killed, and delivers missed
 * occurrences after a restart. There are two exceptions:
 *
 * - Occurrences that are too old, or whose function no longer exists, go to the dead-letter queue, if any.
 * - If a schedule missed more than 1440 occurrences, the emulator drops the oldest ones and logs their number.
 */
export class SchedulerEmulator {
  private readonly database: Store;
  private readonly store: ScheduleStore;
  private validator: ScheduleValidator;
  private readonly dependencies: DeliveryDependencies;
  private cancelWake = () => {};

  /** @throws Error with the logical ID of an invalid schedule in the template */
  constructor(template: Template, file: string, dependencies: DeliveryDependencies) {
    this.database = openStore(file);
    this.store = new ScheduleStore(this.database);
    this.dependencies = dependencies;
    this.validator = this.deployed(template);
  }

  /** Keeps the schedules that functions have created. */
  deploy(template: Template): void {
    this.validator = this.deployed(template);
    this.wakeForNext();
  }

  /** Delivers the due occurrences, beginning with those that version 1.0.0 had queued. */
  resume(): void {
    inTransaction(this.database, () => {
      for (const occurrence of this.store.takeQueued()) deliver(occurrence, this.dependencies);
    });
    this.deliverDue();
  }

  stop(): void {
    this.cancelWake();
    this.database.close();
  }

  readonly serve: Emulator = async ({ method, path, body }) => {
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
    const response = withServiceErrors(() => json(action(key, request), 'application/json'));
    this.wakeForNext();
    return response;
  };

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

  /** A repeat with the same client token returns the same response. */
  private create(
    name: string,
    { ClientToken, ...request }: ScheduleRequest,
    validator = this.validator,
  ): object {
    const { GroupName = 'default' } = request;
    const existing = this.store.read({ groupName: GroupName, name });
    const response = { ScheduleArn: scheduleArn({ GroupName, Name: name }) };
    if (ClientToken !== undefined && existing?.clientToken === ClientToken) return response;
    const now = this.dependencies.clock.now();
    const schedule = validator.scheduleOf(name, request, now);
    if (existing) throw new ServiceError('ConflictException', `Schedule ${name} already exists.`, 409);
    this.store.insert(schedule, ClientToken, now);
    return response;
  }

  private find(key: ScheduleKey): ScheduleRow {
    const row = this.store.read(key);
    if (row) return row;
    throw new ServiceError('ResourceNotFoundException', `Schedule ${key.name} does not exist.`, 404);
  }

  /** An unchanged schedule keeps the time of its next occurrence. A changed one is created again. */
  private deployed(template: Template): ScheduleValidator {
    const validator = new ScheduleValidator(template, this.dependencies.deadLetterQueues);
    const current = new Map(
      template
        .ofType('AWS::Scheduler::Schedule')
        .map((resource) => [definitionOf(resource, template.idOf(resource)), resource.logicalId]),
    );
    inTransaction(this.database, () => {
      const deployed = this.store.deployedDefinitions();
      for (const definition of deployed.filter((one) => !current.has(one))) {
        const { GroupName: groupName, Name: name } = JSON.parse(definition);
        this.store.remove({ groupName, name });
        this.store.removeDeployedDefinition(definition);
      }
      for (const [definition, logicalId] of current)
        if (!deployed.includes(definition)) this.deployOne(definition, logicalId, validator);
    });
    return validator;
  }

  private deployOne(definition: string, logicalId: string, validator: ScheduleValidator): void {
    const { Name, ...properties } = JSON.parse(definition);
    try {
      this.create(Name, requestOf(properties), validator);
    } catch (cause) {
      throw new Error(`${logicalId}: ${(cause as Error).message}`, { cause });
    }
    this.store.addDeployedDefinition(definition);
  }

  /** If the disk is full, the error ends the process, and the next start delivers the occurrences. */
  private deliverDue(): void {
    const now = this.dependencies.clock.now();
    for (const row of this.store.dueAt(now, schedulesAtOnce))
      inTransaction(this.database, () => this.deliverOccurrences(row, now));
    this.wakeForNext();
  }

  /** Updates the schedule first: if the disk is full, that write fails before an occurrence is delivered. */
  private deliverOccurrences(row: ScheduleRow, now: number): void {
    const schedule: Schedule = JSON.parse(row.schedule);
    const { times, skipped, next } = dueOccurrences(schedule, row.due ?? now, now);
    if (skipped > 0)
      log(
        `The schedule ${row.name} missed ${skipped} occurrences that are too old to deliver. The emulator dropped them.`,
      );
    if (next === null && schedule.ActionAfterCompletion === 'DELETE') this.store.remove(row);
    else this.store.setDue(row, next);
    const occurrence = { scheduleArn: scheduleArn(schedule), target: schedule.Target };
    for (const scheduledAt of times) deliver({ ...occurrence, scheduledAt }, this.dependencies);
  }

  private wakeForNext(): void {
    this.cancelWake();
    this.cancelWake = this.dependencies.clock.wakeAt(this.store.nextDue(), () => this.deliverDue());
  }
}

function definitionOf({ properties }: Resource, Name: string): string {
  return JSON.stringify({ GroupName: 'default', ...properties, Name });
}

function requestOf({ StartDate, ...request }: Properties): ScheduleRequest {
  return { ...request, ...(StartDate !== undefined && { StartDate: Date.parse(StartDate) / 1000 }) };
}
