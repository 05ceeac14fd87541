import { mock } from 'node:test';
import { systemClock } from '../../../local/platform/clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const day = 24 * 60 * 60 * 1000;

describe('The clock of the system', () => {
  const wake = jest.fn();
  beforeEach(() => {
    wake.mockReset();
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  });
  afterEach(() => mock.timers.reset());
  const wakeIn = (milliseconds: number) => systemClock.wakeAt(systemClock.now() + milliseconds, wake);

  test.each([
    ['in a second', 1_000],
    ['in a day', day],
    ['in a year, which exceeds the maximum delay of a timer', 365 * day],
  ])('wakes %s, once', (_, rest) => {
    wakeIn(rest);
    mock.timers.tick(rest - 1);
    expect(wake).not.toHaveBeenCalled();
    mock.timers.tick(1);
    expect(wake).toHaveBeenCalledTimes(1);
    mock.timers.tick(day);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('wakes immediately for a time in the past', () => {
    wakeIn(-day);
    mock.timers.tick(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('wakes soon after the machine has slept, although timers do not advance during the sleep', () => {
    wakeIn(day);
    mock.timers.setTime(Date.now() + day);
    mock.timers.tick(60_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('does not wake after the call is cancelled', () => {
    const cancel = wakeIn(day);
    mock.timers.tick(day / 2);
    cancel();
    mock.timers.tick(day);
    expect(wake).not.toHaveBeenCalled();
  });
});

test('A manual clock makes the calls in the order of their times, including calls that are added meanwhile', async () => {
  const clock = new ManualClock(0);
  const woken: [string, number][] = [];
  const wake = (name: string) => () => woken.push([name, clock.now()]);
  clock.wakeAt(20, wake('second'));
  clock.wakeAt(10, () => {
    wake('first')();
    void Promise.resolve().then(() => clock.wakeAt(15, wake('on the way')));
  });
  clock.wakeAt(31, wake('too late'));
  clock.wakeAt(12, wake('cancelled'))();
  await clock.advance(30);
  expect(woken).toEqual([
    ['first', 10],
    ['on the way', 15],
    ['second', 20],
  ]);
  expect(clock.now()).toBe(30);
});
