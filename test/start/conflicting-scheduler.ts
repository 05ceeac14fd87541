import { join } from 'node:path';
import type { Emulator } from '../../local/endpoint/emulator.ts';
import { AwsEndpoint } from '../../local/endpoint/endpoint.ts';
import { systemClock } from '../../local/platform/clock.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import type { Template } from '../../local/template/template.ts';
import { openQueues } from '../support/queues.ts';

/** A scheduler that a service uses instead of its emulator. */
export interface ConflictingScheduler {
  readonly url: string;
  /** Opens the scheduler on a folder. Until then, it refuses all calls. */
  open(template: Template, directory: string): void;
  close(): void;
}

/**
 * Starts a scheduler that loses the response to each CreateSchedule and forgets the client token. It creates the schedule, and
 * responds to the repeated call with a ConflictException.
 */
export async function startConflictingScheduler(): Promise<ConflictingScheduler> {
  let scheduler: SchedulerEmulator | undefined;
  const serve: Emulator = async (call) => {
    if (!scheduler) throw new Error('The scheduler is not open.');
    if (call.method === 'POST') await scheduler.serve(call);
    const body = call.body.toString('utf8').replace(/("ClientToken":)"[^"]+"/, `$1"${crypto.randomUUID()}"`);
    return scheduler.serve({ ...call, body: Buffer.from(body) });
  };
  const endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  endpoint.addCaller({ accessKeyId: 'local', secretAccessKey: 'local' }, 'service');
  endpoint.mount('scheduler', serve);
  const closings = [() => endpoint.close()];
  return {
    url: endpoint.url,
    open: (template, directory) => {
      const { queues, deadLetterQueues } = openQueues(template, directory);
      const opened = new SchedulerEmulator(template, join(directory, 'schedules.sqlite'), {
        invocations: { put: () => {} },
        deadLetterQueues,
        clock: systemClock,
      });
      closings.push(
        () => opened.stop(),
        () => queues.stop(),
      );
      scheduler = opened;
    },
    close: () => {
      for (const close of closings) close();
    },
  };
}
