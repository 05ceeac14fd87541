import { handler as postSchedule } from '../../../lambdas/api/dogs/bark-schedule/post.ts';
import { handler as patchDog } from '../../../lambdas/api/dogs/patch.ts';
import { now } from '../../support/context.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';
import { injectFaults, plan, reset } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';
import { shown } from '../../support/schedules.ts';

useDatabase();
beforeAll(injectFaults);

beforeEach(() => {
  reset();
  jest.spyOn(Date, 'now').mockReturnValue(now);
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

test('PATCH /v1/dogs/{dog_id} returns 403 if EventBridge Scheduler refuses the schedule, and 503 if it does not respond', async () => {
  const dog = await newDog('sync', ['record']);
  const patch = () =>
    invoke(patchDog, 'PatchDog', {
      pathParameters: { dog_id: dog },
      headers: { 'If-Unmodified-Since': new Date(now).toUTCString() },
      body: '{"barks":{"next":0,"frequency":10}}',
    });
  plan('CreateSchedule', 'refused');
  const refused = await patch();
  expect(refused.statusCode).toBe(403);
  expect(refused.json()).toMatchObject({
    detail: 'Nothing was changed, because EventBridge Scheduler refused the schedule: ValidationException',
  });
  reset();
  // The delay between two attempts of the SDK is random.
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  plan('CreateSchedule', 'throttled', 99);
  const unavailable = await patch();
  random.mockRestore();
  expect(unavailable).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
  expect((await shown(dog)).next).toBeNull();
});

test('POST /v1/dogs/{dog_id}/bark-schedule returns 502 if EventBridge Scheduler refuses the schedule', async () => {
  const dog_id = await newDog('sync', ['record']);
  plan('CreateSchedule', 'refused');
  const response = await invoke(postSchedule, 'PostBarkSchedule', { pathParameters: { dog_id } });
  expect(response.statusCode).toBe(502);
});
