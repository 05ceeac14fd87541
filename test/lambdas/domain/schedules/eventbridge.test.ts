import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { createSchedule, deleteSchedule } from '../../../../lambdas/domain/schedules/eventbridge.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDogId } from '../../../support/dogs.ts';
import { calls, plan, standing, useFunctions } from '../../../support/faults.ts';

useFunctions();

const first = at + 600;
const schedule = { scheduleId: '01M7XTJQRGHZ3MM2X05VM3ARQN', start: first, frequency: 10 };
const newOwner = () => ({ id: newDogId(), incarnation: '01M7XTJQRGHZ3MM2X05VM3ARQP' });

describe('createSchedule', () => {
  const create = (dog: ReturnType<typeof newOwner>) => createSchedule(dog, schedule, first, newContext());

  test('creates a schedule with one call', async () => {
    const dog = newOwner();
    expect(await create(dog)).toBe(true);
    expect([calls(), standing(dog.id)]).toEqual([['CreateSchedule'], [expect.anything()]]);
  });

  test('finds the schedule of the first attempt when EventBridge Scheduler has forgotten the token', async () => {
    const dog = newOwner();
    plan('CreateSchedule', 'response and token lost');
    expect(await create(dog)).toBe(false);
    expect(calls()).toEqual(['CreateSchedule', 'CreateSchedule', 'GetSchedule']);
    expect(standing(dog.id)).toHaveLength(1);
  });

  test('finds a schedule that exists, even if it was created at another time', async () => {
    const dog = newOwner();
    await create(dog);
    const later = createSchedule(dog, schedule, first + 600, newContext({ after: 60 }));
    expect(await later).toBe(false);
  });

  test('throws Unavailable when EventBridge Scheduler reports a conflict and the schedule does not exist', async () => {
    const dog = newOwner();
    plan('CreateSchedule', 'concurrent change');
    await expect(create(dog)).rejects.toThrow(Unavailable);
    expect(standing(dog.id)).toEqual([]);
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

describe('deleteSchedule', () => {
  const remove = (dog: string) => deleteSchedule(dog, schedule.scheduleId, newContext());

  test('deletes a schedule, and can be called again', async () => {
    const dog = newOwner();
    await createSchedule(dog, schedule, first, newContext());
    for (let i = 0; i < 2; i++) await remove(dog.id);
    expect(standing(dog.id)).toEqual([]);
  });

  test('throws Unavailable if EventBridge Scheduler is unreachable', async () => {
    plan('DeleteSchedule', 'fails before', 99);
    await expect(remove(newDogId())).rejects.toThrow(Unavailable);
  });
});
