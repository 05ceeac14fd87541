import { inputIn, type ScheduleFields } from '../../../../web/console/schedules/schedule-input.ts';

const next = new Date(2026, 10, 22, 15, 0, 7).getTime() / 1000;

const fields: ScheduleFields = { variant: 'C', time: '2026-11-22T15:00:07', minutes: '10', token: '42' };

test.each<[Partial<ScheduleFields>, object]>([
  [{}, { next, frequency: 10 }],
  [{ time: '2026-11-22T15:00' }, { next: next - 7, frequency: 10 }],
  [{ time: '' }, { next: 0, frequency: 10 }],
  [{ minutes: '' }, { next, frequency: 0 }],
])('inputIn() returns, for %j, the values %j', (change, expected) => {
  expect(inputIn({ ...fields, ...change })).toEqual(expected);
});
