import {
  aheadRule,
  frequencyRule,
  longestFrequency,
  maxAheadSeconds,
  pastToleranceSeconds,
  shortestFrequency,
} from '../../../lambdas/contract/bark-schedule.ts';
import { type CaseGroup, httpDate, type InvalidDocument, invalidDocuments } from './case.ts';

/** The errors of the times and the frequency, which POST of a schedule and PATCH of a dog have in common. */
export const rules = {
  time: 'must be a time in Unix seconds, or 0 to mean now',
  wholeSeconds: 'must be a whole number of seconds',
  notNegative: 'must not be negative',
  tooFar: aheadRule,
  milliseconds: `${aheadRule}; send seconds, not milliseconds`,
  frequency: frequencyRule,
  past: (next: number, now: number) =>
    `must be at most ${pastToleranceSeconds} seconds in the past, but is ${httpDate(next)}; the service's clock shows ${httpDate(now)}; send 0 to mean now`,
} as const;

const year = 365 * 24 * 3600;

/** Returns the invalid values of `next`. The values are JSON. @param now Unix seconds */
export function invalidTimes(now: number): readonly (readonly [name: string, next: string, error: string])[] {
  return [
    ['next in words', '"now"', rules.time],
    ['next in ISO 8601', `"${new Date(now * 1000).toISOString()}"`, rules.time],
    ['next that is true', 'true', rules.time],
    ['next with a fraction', `${now + 100.5}`, rules.wholeSeconds],
    ['a negative next', '-1', rules.notNegative],
    [
      'next 30 seconds too late',
      `${now - pastToleranceSeconds - 30}`,
      rules.past(now - pastToleranceSeconds - 30, now),
    ],
    ['next in 1970', '1', rules.past(1, now)],
    ['next a year too far ahead', `${now + maxAheadSeconds + year}`, rules.tooFar],
    ['next in milliseconds', `${(now + 3600) * 1000}`, rules.milliseconds],
    ['next near the end of the range of numbers', '1e308', rules.tooFar],
    ['next beyond the range of numbers', '1e999', rules.wholeSeconds],
  ];
}

export const invalidFrequencies: readonly (readonly [name: string, frequency: string])[] = [
  ['a frequency in words', '"hourly"'],
  ['a frequency that is true', 'true'],
  ['a negative frequency', '-1'],
  ['a frequency with a fraction', '1.5'],
  ['a frequency above the longest', `${longestFrequency + 1}`],
  ['a frequency below the shortest', `${shortestFrequency === 1 ? 0.5 : shortestFrequency - 1}`],
  ['a frequency beyond the range of numbers', '1e999'],
];

const notANumber = 'must be a number';
const tokenRange = 'must be from -9007199254740991 to 9007199254740991';

const invalidTokens: readonly (readonly [name: string, token: string, error: string])[] = [
  ['a token that is a string', '"7"', notANumber],
  ['a token that is null', 'null', notANumber],
  ...['9007199254740992', '-9007199254740992', '9'.repeat(400), '1e999'].map(
    (token) => [`the token ${token.slice(0, 40)}`, token, tokenRange] as const,
  ),
];

/** Returns the text of a valid schedule with one other member. @param value JSON */
function withMember(name: string, value: string): string {
  const members = { token: '7', next: '0', frequency: '10', [name]: value };
  return `{${Object.entries(members).map(([member, json]) => `"${member}":${json}`)}}`;
}

/** Returns the bark schedules that POST refuses. @param now Unix seconds */
export function refusedSchedules(now: number): CaseGroup {
  const required = { '/token': 'is required', '/next': 'is required' };
  const allErrors = { '/token': notANumber, '/next': rules.time, '/frequency': rules.frequency };
  const invalid = (name: string, member: string, value: string, error: string): InvalidDocument => [
    name,
    withMember(member, value),
    { [`/${member}`]: error },
  ];
  return {
    title: 'POST {dog}bark-schedule',
    dogs: ['new', 'scheduled'],
    cases: invalidDocuments('POST {dog}bark-schedule', [
      ['an empty object', {}, required],
      ['no token', { next: 0 }, { '/token': 'is required' }],
      ['no next', { token: 7 }, { '/next': 'is required' }],
      invalid('next that is null', 'next', 'null', rules.time),
      invalid('a field that only GET returns', 'last', '0', 'is not a known field'),
      ['three invalid fields', { token: 'x', next: 'y', frequency: 'z' }, allErrors],
      ...invalidTokens.map(([name, token, error]) => invalid(name, 'token', token, error)),
      ...invalidTimes(now).map(([name, next, error]) => invalid(name, 'next', next, error)),
      ...invalidFrequencies.map(([name, frequency]) =>
        invalid(name, 'frequency', frequency, rules.frequency),
      ),
    ]),
  };
}
