import type { DatabaseSync } from 'node:sqlite';
import type { Emulator } from '../endpoint/emulator.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { inTransaction, openStore } from '../platform/store.ts';
import { WriteFailures } from '../platform/write-failures.ts';
import type { Template } from '../template/template.ts';
import { SchedulerApi } from './api.ts';
import { type Schedule, scheduleArn } from './definition.ts';
import { type DeliveryDependencies, deliver } from './delivery.ts';
import { deploySchedules } from './deployment.ts';
import { dueOccurrences } from './occurrences.ts';
import { type ScheduleRow, ScheduleStore } from './store.ts';
import { ScheduleValidator } from './validation.ts';

/** The number of schedules that are handled at once. It is small, so that many missed occurrences do not block the service. */
const schedulesAtOnce = 10;

/** The delay before the emulator repeats a write that failed, for example because the disk is full. */
const writeRetryDelayMs = 1_000;

/**
 * The emulator of EventBridge Scheduler. It invokes functions for the `at` and `rate` schedules of the template, and for those
 * that functions create.
 *
 * The time of each schedule's next occurrence is on disk, and advances when the queue of asynchronous invocations has stored the
 * occurrence. The emulator therefore delivers each occurrence at least once if the service is killed. When the service starts again,
 * the emulator also delivers the occurrences that it missed while the service was stopped. There are two exceptions:
 *
 * - Occurrences that exceed the maximum age in their retry policy go to the dead-letter queue of their target.
 * - If a schedule missed more than 1440 occurrences, the emulator drops the oldest ones and logs how many it dropped.
 */
export class SchedulerEmulator {
  private readonly clock: Clock;
  private readonly database: DatabaseSync;
  private readonly store: ScheduleStore;
  private api: SchedulerApi;
  private readonly dependencies: DeliveryDependencies;
  private readonly writeFailures: WriteFailures;
  private cancelWake = () => {};

  /**
   * Opens the database file and deploys the schedules in the template.
   *
   * @throws Error if a schedule in the template is invalid. The message contains the logical ID of that schedule
   */
  constructor(template: Template, file: string, dependencies: DeliveryDependencies) {
    this.clock = dependencies.clock;
    this.database = openStore(file);
    this.store = new ScheduleStore(this.database);
    this.dependencies = dependencies;
    this.writeFailures = new WriteFailures(file, this.clock);
    this.api = this.deployed(template);
  }

  /**
   * Deploys the schedules of a template, and validates new schedules against this template from then on. Keeps the schedules
   * that functions have created.
   *
   * @throws Error with the logical ID of the schedule if a schedule of the template is invalid
   */
  deploy(template: Template): void {
    this.api = this.deployed(template);
    this.wakeForNext();
  }

  /** Starts to deliver occurrences, beginning with those that version 1.0.0 had queued before the last stop. */
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

  readonly serve: Emulator = async (call) => {
    const response = this.api.handle(call);
    this.wakeForNext();
    return response;
  };

  private deployed(template: Template): SchedulerApi {
    const validator = new ScheduleValidator(template, this.dependencies.deadLetterQueues);
    const api = new SchedulerApi(this.store, validator, this.clock);
    inTransaction(this.database, () => deploySchedules(template, this.store, api));
    return api;
  }

  private deliverDue(): void {
    const now = this.clock.now();
    for (const row of this.store.dueAt(now, schedulesAtOnce))
      inTransaction(this.database, () => this.deliverOccurrences(row, now));
    this.wakeForNext();
  }

  /** Delivers the occurrences of a schedule that are due. The change of the schedule comes first, because it fails if the disk is full. */
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
    const due = this.store.nextDue();
    this.cancelWake = due === null ? () => {} : this.clock.wakeAt(due, () => this.deliverDueOrTryAgain());
  }

  private deliverDueOrTryAgain(): void {
    try {
      this.deliverDue();
    } catch (error) {
      this.writeFailures.report(error);
      const next = this.clock.now() + writeRetryDelayMs;
      this.cancelWake = this.clock.wakeAt(next, () => this.deliverDueOrTryAgain());
    }
  }
}
