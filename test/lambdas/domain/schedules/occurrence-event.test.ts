import { readFileSync } from 'node:fs';
import { occurrenceOf } from '../../../../lambdas/domain/schedules/occurrence-event.ts';
import { eventFile } from '../../../support/sample-events.ts';

const valid: Record<string, unknown> = JSON.parse(readFileSync(eventFile('BarkOnSchedule'), 'utf8'));
const endOf9999 = 253_402_300_799;

describe('occurrenceOf', () => {
  test.each<[string, unknown[]]>([
    ['dog', ['d', 'x'.repeat(40)]],
    ['firstScheduledAt', [0, endOf9999]],
    ['firstInvocationAt', [0, endOf9999]],
    ['frequency', [null, 1, 525_600]],
    ['created', [0, endOf9999]],
    ['scheduledTime', ['2026-11-20T12:10:00Z', '2026-11-20T12:10:00.5Z', '2026-11-20T12:10:00.123456Z']],
  ])('accepts each valid %s', (name, values) => {
    for (const value of values) {
      const event = { ...valid, [name]: value };
      expect(occurrenceOf(event)).toBe(event);
    }
  });

  const times = [-1, 1.5, endOf9999 + 1, '1795176000', null];

  test.each<[string, unknown[]]>([
    ['version', [2, '1', null]],
    ['dog', ['', 'x'.repeat(41), 'a b', 7, null]],
    ['incarnation', ['01KAK0XW00', `${valid.incarnation}A`, `a${valid.incarnation}`, 7, null]],
    ['scheduleId', ['01KAK0XW00', `${valid.scheduleId}A`, `a${valid.scheduleId}`, 7, null]],
    ['firstScheduledAt', times],
    ['firstInvocationAt', times],
    ['created', times],
    ['frequency', [0, -10, 1.5, '10', undefined]],
    [
      'scheduledTime',
      [
        'x2026-11-20T12:10:00Z',
        '2026-11-20T12:10:00Zx',
        '2026-11-20T12:10:00.Z',
        '2026-11-20T12:10:00.xZ',
        '2026-11-20T12:10:00',
        '2026-13-20T12:10:00Z',
        1_795_176_000,
        null,
      ],
    ],
  ])('refuses each invalid %s, and names it', (name, values) => {
    for (const value of values)
      expect(() => occurrenceOf({ ...valid, [name]: value })).toThrow(
        new RegExp(`^The event has missing or invalid members: ${name}\\.$`),
      );
  });

  test.each([null, undefined, 'text', 7])('refuses %j, and names all members', (event) => {
    expect(() => occurrenceOf(event)).toThrow(
      'The event has missing or invalid members: version, dog, incarnation, scheduleId, firstScheduledAt, firstInvocationAt, frequency, created, scheduledTime.',
    );
  });
});
