import { mock } from 'node:test';
import { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import { AdjustableClock, serveClock } from '../../../local/platform/adjustable-clock.ts';
import { unguessablePath } from '../../../local/platform/unguessable-path.ts';
import { passTime, skipTime, timeOf } from '../../support/time.ts';

const hour = 3_600_000;

describe('An adjustable clock', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  test('runs with the system clock, ahead of it or behind it', () => {
    const clock = new AdjustableClock(hour);
    expect(clock.now()).toBe(Date.now() + hour);
    clock.advance(-3 * hour);
    mock.timers.tick(5);
    expect(clock.now()).toBe(Date.now() - 2 * hour);
  });

  test.each([
    ['when its time has come, without being advanced', 0],
    ['later if it is set back', -hour],
  ])('makes a call %s', (_, change) => {
    const clock = new AdjustableClock(-hour);
    const wake = jest.fn();
    clock.wakeAt(clock.now() + 1_000, wake);
    if (change !== 0) clock.advance(change);
    mock.timers.tick(999 - change);
    expect(wake).not.toHaveBeenCalled();
    mock.timers.tick(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('makes the calls that become due when it is advanced, once, in the order of their times', () => {
    const clock = new AdjustableClock();
    const start = clock.now();
    const woken: string[] = [];
    clock.wakeAt(start + hour, () => woken.push('second'));
    clock.wakeAt(start + 1_000, () => woken.push('first'));
    clock.wakeAt(start + 2 * hour + 1, () => woken.push('later'));
    clock.wakeAt(start + 2_000, () => woken.push('cancelled'))();
    clock.advance(2 * hour - 1);
    mock.timers.tick(1);
    expect(woken).toEqual(['first', 'second']);
    mock.timers.tick(1);
    expect(woken).toEqual(['first', 'second', 'later']);
    clock.advance(24 * hour);
    mock.timers.tick(1);
    expect(woken).toHaveLength(3);
  });
});

describe('The URL of a clock', () => {
  let endpoint: AwsEndpoint;
  let clock: AdjustableClock;
  let access: { readonly clock_url: string };

  beforeEach(async () => {
    clock = new AdjustableClock();
    endpoint = new AwsEndpoint(clock);
    await endpoint.listen(0);
    access = { clock_url: serveClock(endpoint, clock, unguessablePath()) };
  });
  afterEach(() => endpoint.close());

  test.each([passTime, skipTime])('lets a test set the clock forward and back', async (advance) => {
    const before = clock.now();
    await advance(access, 3600);
    expect(clock.now() - before).toBeGreaterThanOrEqual(hour);
    await advance(access, -7200);
    expect(clock.now() - before).toBeLessThan(0);
    expect(Math.abs((await timeOf(access)) - clock.now())).toBeLessThan(10_000);
  });

  test('sets the date in the responses to AWS calls, so that the SDK of a function does not assume a wrong clock', async () => {
    await passTime(access, -3600);
    const { headers } = await fetch(endpoint.url);
    expect(Math.abs(Date.parse(headers.get('Date') ?? '') - clock.now())).toBeLessThan(10_000);
  });

  test.each(['soon', '1.5'])('refuses to advance the clock by %s', async (milliseconds) => {
    const { status } = await fetch(`${access.clock_url}?advance=${milliseconds}`, { method: 'POST' });
    expect(status).toBe(503);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
  });
});
