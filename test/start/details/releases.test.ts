import { eventually } from '@rest-actions/local-cloud/testing';
import { Client, header } from '../../support/client.ts';
import { deniedPermissions } from '../../support/permissions.ts';
import { putMessage } from '../messages.ts';
import { client, runCommand, service, useService } from '../support.ts';
import { itemsOf } from '../tables.ts';

const directory = useService({ settings: ['releases=canary', 'cancellationWindowSeconds=0'] });

describe('a service with releases=canary', () => {
  test('invokes the alias of the authorizer and of a route', async () => {
    expect((await client.post('/v1/dogs/record-sync/barks')).status).toBe(201);
    expect((await new Client({ ...service.access, password: 'wrong' }).get('/v1/dogs/')).status).toBe(401);
  });

  test('invokes the alias that the workflow names', async () => {
    const accepted = await client.post('/v1/dogs/record-async/barks');
    expect(accepted.status).toBe(202);
    await eventually(async () => {
      const bark = await client.get(header(accepted, 'Location'));
      expect(JSON.parse(bark.text)).toMatchObject({ status: 'complete' });
    });
  });

  test('invokes the alias that reads the stream', async () => {
    const path = '/v1/dogs/deleted/';
    await client.put(path, {});
    await client.post(`${path}barks`);
    expect(await itemsOf(directory, 'deleted')).toHaveLength(1);
    await client.delete(path);
    await eventually(async () => expect(await itemsOf(directory, 'deleted')).toEqual([]));
  });

  test('sends a dead-letter message again to the alias', async () => {
    await putMessage(directory, 'WorkflowDlq', {
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { dog: 'record-async', bark: 'none' },
    });
    const { code, stdout } = await runCommand(directory, 'queues', 'redrive', 'WorkflowDlq', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { sent: 1, kept: 0 }]);
  });

  test('denies no function a permission that it needs', () => {
    expect(deniedPermissions(service.output())).toEqual([]);
  });
});
