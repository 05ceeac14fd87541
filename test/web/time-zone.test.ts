import { localTimeOf, offsetName, timeOfLocal, timeZoneSentence } from '../../web/shared/time-zone.ts';

const utc = (text: string) => Date.parse(`${text}Z`) / 1000;

test.each([
  ['2026-11-22T13:00', 'Europe/Berlin', '2026-11-22T14:00'],
  ['2026-07-22T13:00', 'Europe/Berlin', '2026-07-22T15:00'],
  ['2026-11-22T23:00', 'Asia/Kolkata', '2026-11-23T04:30'],
  ['2026-11-22T00:00', 'America/St_Johns', '2026-11-21T20:30'],
  ['2026-11-22T13:00', 'UTC', '2026-11-22T13:00'],
])('localTimeOf() and timeOfLocal() convert %s in %s to %s and back', (at, timeZone, local) => {
  expect(localTimeOf(utc(at), timeZone)).toBe(utc(local));
  expect(timeOfLocal(utc(local), timeZone)).toBe(utc(at));
});

test('timeOfLocal() returns the first time if the clocks show a local time twice', () => {
  expect(timeOfLocal(utc('2026-10-25T02:30'), 'Europe/Berlin')).toBe(utc('2026-10-25T00:30'));
});

test('timeOfLocal() returns a time after the change if the clocks skip a local time', () => {
  expect(timeOfLocal(utc('2026-03-29T02:30'), 'Europe/Berlin')).toBe(utc('2026-03-29T01:30'));
});

test.each([
  ['Europe/Berlin', 'Times are in Europe/Berlin (UTC+1).'],
  ['America/St_Johns', 'Times are in America/St_Johns (UTC−3:30).'],
  ['UTC', 'Times are in UTC.'],
])('timeZoneSentence() names %s', (timeZone, expected) => {
  expect(timeZoneSentence(utc('2026-11-22T13:00'), timeZone)).toBe(expected);
});

test('offsetName() follows daylight saving time', () => {
  expect(offsetName(utc('2026-07-22T13:00'), 'Europe/Berlin')).toBe('UTC+2');
});
