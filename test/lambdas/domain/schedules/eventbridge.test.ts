import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { createSchedule } from '../../../../lambdas/domain/schedules/eventbridge.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDogId } from '../../../support/dogs.ts';
import { plan, useFunctions } from '../../../support/faults.ts';

useFunctions();

const first = at + 600;
const schedule = { scheduleId: '01M7XTJQRGHZ3MM2X05VM3ARQN', start: first, frequency: 10 };
const newOwner = () => ({ id: newDogId(), incarnation: '01M7XTJQRGHZ3MM2X05VM3ARQP' });

describe('createSchedule', () => {
  const create = (dog: ReturnType<typeof newOwner>) => createSchedule(dog, schedule, first, newContext());

  test('finds a schedule that exists, even if it was created at another time', async () => {
    const dog = newOwner();
    await create(dog);
    const later = createSchedule(dog, schedule, first + 600, newContext({ after: 60 }));
    expect(await later).toBe(false);
  });

  test('throws Unavailable when EventBridge Scheduler reports a conflict and the schedule does not exist', async () => {
    plan('CreateSchedule', 'concurrent change');
    await expect(create(newOwner())).rejects.toThrow(Unavailable);
  });

  test('throws Unavailable when the schedule with this name belongs to another incarnation of the dog', async () => {
    const dog = newOwner();
    await create({ ...dog, incarnation: 'another' });
    await expect(create(dog)).rejects.toThrow(Unavailable);
  });

  test('throws Unavailable when it cannot confirm that the schedule exists', async () => {
    const dog = newOwner();
    await create(dog);
    plan('GetSchedule', 'fails before', 99);
    await expect(create(dog)).rejects.toThrow(Unavailable);
  });
});
