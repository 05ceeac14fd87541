import { join } from 'node:path';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { readAssembly } from '../../../local/template/synthesize.ts';
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
import { preparedStack } from '../../support/prepare-services.ts';
import { skipTime } from '../../support/time.ts';
import { withClient } from '../operator-access.ts';
import { start, temporaryDirectory } from '../support.ts';

/** A Standard execution can be pending for longer than an Express one. */
const cancellationWindowSeconds = 600;
const standard = ['workflowType=STANDARD', `cancellationWindowSeconds=${cancellationWindowSeconds}`];

/** The folder of the synthesized stack. */
let app: string;

// The test of the load kills a service whose Express executions are pending.
test('barks of a Standard workflow that are pending at a kill -9 each complete exactly once after a restart with an Express workflow', async () => {
  const directory = temporaryDirectory();
  const first = await start(directory, { settings: standard });
  app = join(directory, 'cdk.out');
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

  const second = await start(directory, { app: preparedStack, clockOffsetMs: 0 });
  await skipTime(second.access, cancellationWindowSeconds);
  const again = new Client(second.access);
  for (const [n, { dog, path }] of barks.entries()) {
    await eventually(async () =>
      expect(documentOf<Bark>(await again.get(path))).toMatchObject({ status: 'complete' }),
    );
    expect(await dogAt(again, dog)).toMatchObject({ barkCount: 1, barking: false });
    expect(await allOf<Bark>(again, `${dog}barks`)).toHaveLength(1);
    expect(await mailsTo(second.access.mail_url ?? '', `dog-${n}@example.com`)).toHaveLength(1);
  }
  expect(await second.stop()).toBe(0);
});

test('a bark whose Standard execution is stopped fails long before its deadline, through the EventBridge rule', async () => {
  const directory = temporaryDirectory();
  const service = await start(directory, { settings: standard });
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
  const { template } = readAssembly(app);
  const machine = template
    .ofType('AWS::StepFunctions::StateMachine')
    .find(({ properties }) => properties.StateMachineType === 'STANDARD');
  if (!machine) throw new Error('The template has no Standard state machine.');
  return `${template.idOf(machine).replace(':stateMachine:', ':execution:')}:${bark.split('/').at(-1)}`;
}
