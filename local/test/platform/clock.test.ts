import { mock } from 'node:test';
import { AwsEndpoint } from '../../endpoint/endpoint.ts';
import { AdjustableClock, systemClock } from '../../platform/clock.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

describe('A clock', () => {
  const wake = jest.fn();
  beforeEach(() => {
    wake.mockReset();
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  });
  afterEach(() => mock.timers.reset());
  const wakeIn = (milliseconds: number) => systemClock.wakeAt(systemClock.now() + milliseconds, wake);

  test.each([
    ['in a second', 1_000],
    ['in a year, which exceeds the maximum delay of a timer', 365 * day],
  ])('wakes %s, once', (_, rest) => {
    wakeIn(rest);
    mock.timers.tick(rest - 1);
    expect(wake).not.toHaveBeenCalled();
    mock.timers.tick(day);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('wakes immediately for a time in the past, and not after the call is cancelled', () => {
    wakeIn(-day);
    wakeIn(-day)();
    mock.timers.tick(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('wakes soon after the machine has slept, although timers do not advance during the sleep', () => {
    wakeIn(day);
    mock.timers.setTime(Date.now() + day);
    mock.timers.tick(60_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('that a test sets back makes its calls later', () => {
    const clock = new AdjustableClock(-hour);
    clock.wakeAt(clock.now() + 1_000, wake);
    clock.advance(-hour);
    expect(clock.now()).toBe(Date.now() - 2 * hour);
    mock.timers.tick(hour + 999);
    expect(wake).not.toHaveBeenCalled();
    mock.timers.tick(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('that a test sets forward makes the calls that become due, once, in the order of their times', () => {
    const clock = new AdjustableClock();
    const start = clock.now();
    const woken: string[] = [];
    clock.wakeAt(start + hour, () => woken.push('second'));
    clock.wakeAt(start + 1_000, () => woken.push('first'));
    clock.wakeAt(start + 2 * hour + 1, () => woken.push('later'));
    clock.advance(2 * hour - 1);
    mock.timers.tick(1);
    expect(woken).toEqual(['first', 'second']);
    clock.advance(day);
    mock.timers.tick(1);
    expect(woken).toEqual(['first', 'second', 'later']);
  });
});

test('The endpoint of AWS calls responds with the date of the clock', async () => {
  const clock = new AdjustableClock(-hour);
  const endpoint = new AwsEndpoint(clock);
  await endpoint.listen(0);
  const { headers } = await fetch(endpoint.url).finally(() => endpoint.close());
  expect(Math.abs(Date.parse(headers.get('Date') ?? '') - clock.now())).toBeLessThan(10_000);
});
