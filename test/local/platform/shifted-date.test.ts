import { shiftDate } from '../../../local/platform/shifted-date.ts';

describe('shiftDate', () => {
  const SystemDate = Date;
  const offset = new BigInt64Array(new SharedArrayBuffer(8));
  const hour = 3_600_000;

  beforeAll(() => shiftDate(offset));
  afterAll(() => {
    globalThis.Date = SystemDate;
  });

  test.each([hour, -hour, 0])('adds an offset of %i ms to the current time', (milliseconds) => {
    Atomics.store(offset, 0, BigInt(milliseconds));
    const expected = SystemDate.now() + milliseconds;
    for (const now of [Date.now(), Date.parse(new Date().toISOString()), SystemDate.parse(Date())])
      expect(Math.abs(now - expected)).toBeLessThan(2_000);
  });

  test('keeps dates with values, the static methods and instanceof', () => {
    Atomics.store(offset, 0, BigInt(hour));
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(new Date(2026, 10, 21).getMonth()).toBe(10);
    expect(Date.UTC(1970, 0, 2)).toBe(24 * hour);
    expect(Date.parse('1970-01-01T01:00:00Z')).toBe(hour);
    expect(new Date() instanceof Date).toBe(true);
    expect(new SystemDate() instanceof Date).toBe(true);
    class Day extends Date {}
    expect(Math.abs(Number(new Day()) - SystemDate.now() - hour)).toBeLessThan(2_000);
  });
});
