import { localTimeOf, timeOfLocal, timeZoneSentence } from '../../web/shared/time-zone.ts';

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

test.each([
  ['the first time if the clocks show a local time twice', '2026-10-25T02:30', '2026-10-25T00:30'],
  ['a time after the change if the clocks skip a local time', '2026-03-29T02:30', '2026-03-29T01:30'],
])('timeOfLocal() returns %s', (_, local, at) => {
  expect(timeOfLocal(utc(local), 'Europe/Berlin')).toBe(utc(at));
});

test.each([
  ['2026-11-22T13:00', 'Europe/Berlin', 'Times are in Europe/Berlin (UTC+1).'],
  ['2026-07-22T13:00', 'Europe/Berlin', 'Times are in Europe/Berlin (UTC+2).'],
  ['2026-11-22T13:00', 'America/St_Johns', 'Times are in America/St_Johns (UTC−3:30).'],
  ['2026-11-22T13:00', 'UTC', 'Times are in UTC.'],
])('timeZoneSentence() names, at %s, %s with its offset', (at, timeZone, expected) => {
  expect(timeZoneSentence(utc(at), timeZone)).toBe(expected);
});
