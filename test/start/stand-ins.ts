import { join } from 'node:path';
import type { Emulator } from '../../local/endpoint/emulator.ts';
import { AwsEndpoint } from '../../local/endpoint/endpoint.ts';
import { json } from '../../local/endpoint/response.ts';
import { systemClock } from '../../local/platform/clock.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import type { Template } from '../../local/template/template.ts';
import { openQueues } from '../support/queues.ts';

/** Services that a service uses instead of its emulators. */
export interface StandIns {
  readonly url: string;
  close(): void;
}

/**
 * Starts a Step Functions that performs no bark, and a scheduler that loses the response to each CreateSchedule and forgets the client
 * token. The scheduler creates the schedule, and responds to the repeated call with a ConflictException.
 */
export async function startStandIns(template: Template, directory: string): Promise<StandIns> {
  const { queues, deadLetterQueues } = openQueues(template, directory);
  const scheduler = new SchedulerEmulator(template, join(directory, 'schedules.sqlite'), {
    invocations: { put: () => {} },
    deadLetterQueues,
    clock: systemClock,
  });
  const serve: Emulator = async (call) => {
    if (call.method === 'POST') await scheduler.serve(call);
    const body = call.body.toString('utf8').replace(/("ClientToken":)"[^"]+"/, `$1"${crypto.randomUUID()}"`);
    return scheduler.serve({ ...call, body: Buffer.from(body) });
  };
  const endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  endpoint.addCaller({ accessKeyId: 'local', secretAccessKey: 'local' }, 'service');
  endpoint.mount('scheduler', serve);
  endpoint.mount('states', async () => json({ executionArn: 'arn', startDate: 0 }));
  return {
    url: endpoint.url,
    close: () => {
      endpoint.close();
      scheduler.stop();
      queues.stop();
    },
  };
}
