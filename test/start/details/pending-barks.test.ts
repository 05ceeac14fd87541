import { join } from 'node:path';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { readAssembly } from '@rest-actions/local-cloud/template';
import { eventually } from '@rest-actions/local-cloud/testing';
import { allOf, type Bark, documentOf, dogAt, header, mailsTo } from '../../support/client.ts';
import { skipTime } from '../../support/time.ts';
import { withClient } from '../operator-access.ts';
import { client, kill9, restart, service, useService } from '../support.ts';

const window = 600;

const directory = useService({
  settings: ['workflowType=STANDARD', `cancellationWindowSeconds=${window}`],
  clockOffsetMs: 0,
});

function executionOf(bark: string): string {
  const { template } = readAssembly(join(directory, 'cdk.out'));
  const machine = template
    .ofType('AWS::StepFunctions::StateMachine')
    .find(({ properties }) => properties.StateMachineType === 'STANDARD');
  if (!machine) throw new Error('The template has no Standard state machine.');
  return `${template.idOf(machine).replace(':stateMachine:', ':execution:')}:${bark.split('/').at(-1)}`;
}

test('a bark whose Standard execution is stopped fails long before its deadline, through the EventBridge rule', async () => {
  const bark = header(await client.post('/v1/dogs/record-async/barks'), 'Location');
  const stop = new StopExecutionCommand({ executionArn: executionOf(bark) });
  await withClient(SFNClient, directory, (sfn) => sfn.send(stop));
  await eventually(async () =>
    expect(documentOf<Bark>(await client.get(bark))).toMatchObject({
      status: 'failed',
      reason: 'The service failed.',
    }),
  );
});

test('barks that are pending at a kill -9 each complete exactly once after a restart, even with another type of workflow', async () => {
  const accept = async (name: string) => {
    const [dog, email] = [`/v1/dogs/${name}/`, `${name}@example.com`];
    await client.put(dog, { email, barkEffects: ['emailDog', 'record'], barkHandling: 'async' });
    const location = header(await client.post(`${dog}barks`), 'Location');
    return { dog, email, path: location.replace(client.baseUrl, '') };
  };
  const barks = await Promise.all(['rex', 'max', 'luna', 'bella'].map(accept));
  await kill9();
  await restart(directory, { settings: ['workflowType=EXPRESS'], clockOffsetMs: 0 });
  await skipTime(service.access, window);
  for (const { dog, email, path } of barks) {
    await eventually(async () =>
      expect(documentOf<Bark>(await client.get(path))).toMatchObject({ status: 'complete' }),
    );
    expect(await dogAt(client, dog)).toMatchObject({ barkCount: 1, barking: false });
    expect(await allOf<Bark>(client, `${dog}barks`)).toHaveLength(1);
    expect(await mailsTo(service.access.mail_url ?? '', email)).toHaveLength(1);
  }
});
