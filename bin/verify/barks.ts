import {
  type Check,
  type Deployment,
  documentOf,
  eventually,
  expectEqual,
  expectField,
  expectLocation,
  expectNoBody,
  expectStatus,
} from './check.ts';
import { get, patchSchedule, timeOf } from './http-details.ts';

const recording = { barkEffects: ['record'], barkHandling: 'sync' };

/** The three ways in which a client makes a dog bark. */
export const barks: readonly Check[] = [
  {
    statement: 'Variant A: POST barks returns 201, and GET returns the bark',
    run: async (deployment) => {
      const path = await deployment.newDog(recording);
      const created = await deployment.api.send('POST', `${path}barks`);
      expectStatus(created, 201);
      const bark = documentOf(await get(deployment, expectLocation(deployment.api, created)));
      expectEqual('The bark', bark, documentOf(created));
      await expectBarkCount(deployment, path, 1);
    },
  },
  {
    statement: 'Variant A: a repeat with the same Idempotency-Key does not make the dog bark again',
    run: async (deployment) => {
      const path = await deployment.newDog(recording);
      const headers = { 'Idempotency-Key': `"${crypto.randomUUID()}"` };
      const [first, repeat] = [
        await deployment.api.send('POST', `${path}barks`, { headers }),
        await deployment.api.send('POST', `${path}barks`, { headers }),
      ];
      expectStatus(repeat, 201);
      expectLocation(deployment.api, repeat, expectLocation(deployment.api, first));
      await expectBarkCount(deployment, path, 1);
    },
  },
  {
    statement: 'Variant A: an asynchronous bark returns 202, and the workflow performs it',
    run: async (deployment) => {
      const path = await deployment.newDog({ barkEffects: ['record'], barkHandling: 'async' });
      const accepted = await deployment.api.send('POST', `${path}barks`, { headers: json });
      expectStatus(accepted, 202);
      const location = expectLocation(deployment.api, accepted);
      await eventually(deployment, async () => {
        const status = await deployment.api.send('GET', location, { headers: json });
        expectStatus(status, 303);
        expectLocation(deployment.api, status, path);
      });
      await expectBarkCount(deployment, path, 1);
    },
  },
  {
    statement: 'Variant A: DELETE cancels a pending bark',
    run: async (deployment) => {
      const path = await deployment.newDog({ barkEffects: ['record'], barkHandling: 'async' });
      const accepted = await deployment.api.send('POST', `${path}barks`, { headers: json });
      const location = expectLocation(deployment.api, accepted);
      const cancelled = await deployment.api.send('DELETE', location);
      expectStatus(cancelled, 204);
      expectNoBody(cancelled);
      expectEqual('The status', documentOf(await get(deployment, location)).status, 'cancelled');
    },
  },
  {
    statement: 'Variant B: a PATCH with next 0 makes the dog bark once, even if it arrives twice',
    run: async (deployment) => {
      const path = await deployment.newDog(recording);
      const since = expectField(await get(deployment, path), 'Last-Modified');
      const schedule = { next: 0, frequency: 10 };
      for (const _ of ['first', 'repeat'])
        expectStatus(await patchSchedule(deployment, path, schedule, since), 204, 205);
      await expectBarkCount(deployment, path, 1);
      expectStatus(await deployment.api.send('DELETE', `${path}bark-schedule`), 204);
    },
  },
  {
    statement: 'Variant B: EventBridge Scheduler makes the dog bark at next',
    run: async (deployment) => {
      const path = await deployment.newDog(recording);
      const next = (await timeOf(deployment, path)) + 20;
      expectStatus(await patchSchedule(deployment, path, { next }), 205);
      await eventually(deployment, () => expectBarkCount(deployment, path, 1));
    },
  },
  {
    statement: 'Variant C: POST bark-schedule returns 205, and makes the dog bark once for each token',
    run: async (deployment) => {
      const path = await deployment.newDog(recording);
      const body = { token: 42, next: 0, frequency: 10 };
      for (const _ of ['first', 'repeat']) {
        const set = await deployment.api.send('POST', `${path}bark-schedule`, { body });
        expectStatus(set, 205);
        expectNoBody(set);
      }
      await expectBarkCount(deployment, path, 1);
      const { last, next } = documentOf(await get(deployment, `${path}bark-schedule`));
      expectEqual('next minus last', Number(next) - Number(last), 600);
      expectStatus(await deployment.api.send('DELETE', `${path}bark-schedule`), 204);
    },
  },
  {
    statement: 'Variant C: POST bark makes the dog bark, and GET bark returns the time',
    run: async (deployment) => {
      const path = await deployment.newDog(recording);
      const created = await deployment.api.send('POST', `${path}bark`);
      expectStatus(created, 201);
      const last = documentOf(await get(deployment, `${path}bark`));
      expectEqual('The last bark', last.timestamp, documentOf(created).timestamp);
    },
  },
];

/** Without this field, the body of a 202 is HTML. */
const json = { Accept: 'application/json' };

async function expectBarkCount(deployment: Deployment, path: string, expected: number): Promise<void> {
  const { barkCount } = documentOf(await get(deployment, path));
  expectEqual(`The barkCount of ${path}`, barkCount, expected);
}
