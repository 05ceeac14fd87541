import { errorsIn, inputIn, type ScheduleFields } from '../../../../web/console/schedules/schedule-input.ts';

const timeZone = 'Europe/Berlin';
const now = Date.UTC(2026, 10, 22, 13, 3, 7) / 1000;

const valid: ScheduleFields = {
  variant: 'C',
  first: 'time',
  time: '2026-11-22T15:00',
  repeat: 'every',
  minutes: '10',
  token: '42',
};
const fieldsOf = (change: Partial<ScheduleFields>): ScheduleFields => ({ ...valid, ...change });

test.each<[Partial<ScheduleFields>, object]>([
  [{}, { next: now + 3_413, frequency: 10, token: 42 }],
  [{ time: '2026-11-22T15:00:07' }, { next: now + 3_420, frequency: 10, token: 42 }],
  [{ variant: 'B' }, { next: now + 3_413, frequency: 10 }],
  [
    { first: 'now', repeat: 'once', time: 'x', minutes: 'x' },
    { next: 0, frequency: 0, token: 42 },
  ],
  [
    { token: ' -1.5 ', minutes: ' 7 ' },
    { next: now + 3_413, frequency: 7, token: -1.5 },
  ],
  [{ time: '', minutes: 'ten', token: '' }, {}],
])('inputIn() returns, for %j, the values %j', (change, expected) => {
  expect(inputIn(fieldsOf(change), timeZone)).toEqual(expected);
});

test.each<[Partial<ScheduleFields>, object]>([
  [{}, {}],
  [{ time: '2026-11-22T14:02:08' }, {}],
  [{ time: '2026-11-22T14:02' }, { next: 'The time is in the past. Choose a later time.' }],
  [{ time: '2036-11-22T14:00' }, { next: 'The time is too far ahead. Choose a time in the next ten years.' }],
  [{ time: '' }, { next: 'Enter a date and a time.' }],
  [{ time: '', first: 'now' }, {}],
  ...['', '0', '-1', '1.5', '10 min'].map((minutes): [Partial<ScheduleFields>, object] => [
    { minutes },
    { frequency: 'Enter a whole number of minutes, at least 1.' },
  ]),
  [{ minutes: '525600' }, {}],
  [{ minutes: '525601' }, { frequency: 'Enter at most 525,600 minutes, which is a year.' }],
  [{ minutes: '', repeat: 'once' }, {}],
  [{ token: '' }, { token: 'Enter a number.' }],
  [{ token: 'a' }, { token: 'Enter a number.' }],
  [{ token: '9007199254740993' }, { token: 'Enter a number of at most 9007199254740991.' }],
  [{ token: '', variant: 'B' }, {}],
])('errorsIn() returns, for %j, the errors %j', (change, expected) => {
  expect(errorsIn(fieldsOf(change), timeZone, now)).toEqual(expected);
});
