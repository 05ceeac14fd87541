import { join } from 'node:path';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { readAssembly } from '../../../local/template/synthesize.ts';
import type { Options } from '../../../tools/service.ts';
import {
  allOf,
  type Bark,
  Client,
  documentOf,
  dogAt,
  eventually,
  header,
  mailsTo,
} from '../../support/client.ts';
import { skipTime } from '../../support/time.ts';
import { withClient } from '../operator-access.ts';
import { start, temporaryDirectory } from '../support.ts';

type WorkflowType = 'STANDARD' | 'EXPRESS';

/** The cancellation windows of the services, in seconds. */
const windows = { STANDARD: 600, EXPRESS: 30 };

/** The folders of the synthesized stacks. */
const apps = new Map<WorkflowType, string>();

/** Returns the options of a service. The first service of a type synthesizes its stack, and the others run the same stack. */
function optionsOf(type: WorkflowType, directory: string): Options {
  const app = apps.get(type);
  if (app) return { app, clockOffsetMs: 0 };
  apps.set(type, join(directory, 'cdk.out'));
  const settings = [`workflowType=${type}`, `cancellationWindowSeconds=${windows[type]}`];
  return { settings, clockOffsetMs: 0 };
}

/** Starts a service, makes dogs bark asynchronously, and kills the service while the barks are pending. */
async function killWithPendingBarks(directory: string, type: WorkflowType) {
  const first = await start(directory, optionsOf(type, directory));
  const client = new Client(first.access);
  const accept = async (n: number) => {
    const dog = `/v1/dogs/dog-${n}/`;
    const barkEffects = ['emailDog', 'record'];
    await client.put(dog, { email: `dog-${n}@example.com`, barkEffects, barkHandling: 'async' });
    const response = await client.post(`${dog}barks`);
    return { dog, path: header(response, 'Location').replace(client.baseUrl, '') };
  };
  const barks = await Promise.all([0, 1, 2, 3].map(accept));
  first.process.kill('SIGKILL');
  await first.exited;
  return barks;
}

test.each<[WorkflowType, WorkflowType]>([
  ['STANDARD', 'STANDARD'],
  ['EXPRESS', 'EXPRESS'],
  ['STANDARD', 'EXPRESS'],
])(
  'barks of a %s workflow that are pending at a kill -9 each complete exactly once after a restart with a %s workflow',
  async (before, after) => {
    const directory = temporaryDirectory();
    const barks = await killWithPendingBarks(directory, before);
    const second = await start(directory, optionsOf(after, directory));
    await skipTime(second.access, windows[before]);
    const again = new Client(second.access);
    for (const [n, { dog, path }] of barks.entries()) {
      const { status } = await eventually(async () => {
        const bark = documentOf<Bark & { reason?: string }>(await again.get(path));
        expect(bark.status).not.toBe('pending');
        return bark;
      });
      expect(status).toBe('complete');
      expect(await dogAt(again, dog)).toMatchObject({ barkCount: 1, barking: false });
      expect(await allOf<Bark>(again, `${dog}barks`)).toHaveLength(1);
      expect(await mailsTo(second.access.mail_url ?? '', `dog-${n}@example.com`)).toHaveLength(1);
    }
    expect(await second.stop()).toBe(0);
  },
);

test('a bark whose Standard execution is stopped fails long before its deadline, through the EventBridge rule', async () => {
  const directory = temporaryDirectory();
  const service = await start(directory, optionsOf('STANDARD', directory));
  const client = new Client(service.access);
  const response = await client.post('/v1/dogs/record-async/barks');
  const bark = header(response, 'Location');
  const stop = new StopExecutionCommand({ executionArn: executionOf(bark) });
  await withClient(SFNClient, directory, (sfn) => sfn.send(stop));
  await eventually(async () =>
    expect(documentOf<Bark>(await client.get(bark))).toMatchObject({
      status: 'failed',
      reason: 'The service failed.',
    }),
  );
  await service.stop();
});

function executionOf(bark: string): string {
  const { template } = readAssembly(apps.get('STANDARD') ?? '');
  const machine = template
    .ofType('AWS::StepFunctions::StateMachine')
    .find(({ properties }) => properties.StateMachineType === 'STANDARD');
  if (!machine) throw new Error('The template has no Standard state machine.');
  return `${template.idOf(machine).replace(':stateMachine:', ':execution:')}:${bark.split('/').at(-1)}`;
}
