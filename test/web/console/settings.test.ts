import '../../support/settings-of-each-kind.ts';

import { settingNames, settingOf } from '../../../lambdas/contract/dog-settings.ts';
import { openApiDocument } from '../../../openapi/document.ts';
import {
  entriesIn,
  fieldNames,
  firstSettings,
  integerIn,
  settingsOf,
  textOf,
  withChanges,
} from '../../../web/console/dogs/settings.ts';
import { type Changes, change, conflictsOf, valuesOf } from '../../../web/console/dogs/settings-changes.ts';

type Dog = Parameters<typeof settingsOf>[0];

describe('The console', () => {
  const members = Object.keys(openApiDocument().components?.schemas?.Dog?.properties ?? {});
  const shown = { ...Object.fromEntries(members.map((name) => [name, name])), barkEffects: ['record'] };

  test('sends back each member of a dog that is not read-only', () => {
    const other = { 'x-breed': 'Terrier', tags: [], nickname: '', collar: { color: 'red' } };
    const body = withChanges(settingsOf({ ...shown, ...other } as unknown as Dog), {});
    expect(Object.keys(body).sort()).toEqual([...settingNames, ...Object.keys(other)].sort());
    expect(body).toMatchObject(other);
  });

  test('has a field for each setting', () => {
    expect([...fieldNames].sort()).toEqual([...settingNames].sort());
  });

  test.each<[unknown, string]>([
    ['mailto:jane@example.com', 'mailto:jane@example.com'],
    [-3, '-3'],
    [false, 'No'],
    [['count', 'record'], 'count, record'],
    [{ color: 'red' }, '{"color":"red"}'],
  ])('shows the value %j as %s', (value, text) => {
    expect(textOf(value)).toBe(text);
  });

  test('creates a dog with a value for each setting that has a default or is always set', () => {
    expect(firstSettings).toMatchObject({ barkEffects: ['record'], barkHandling: 'sync' });
    expect(Object.keys(firstSettings)).toEqual(
      settingNames.filter((name) => settingOf(name).isAlwaysSet || settingOf(name).default !== undefined),
    );
  });

  test.each<[string, unknown]>([
    ['-12', -12],
    ['007', 7],
    ['', ''],
    ['-', '-'],
    ['1.5', '1.5'],
    ['1e3', '1e3'],
    ['12345678901234567890', '12345678901234567890'],
  ])('reads the integer %j as %j', (text, value) => {
    expect(integerIn(text)).toBe(value);
  });

  test('reads the entries of a list from lines, without the spaces around them', () => {
    expect(entriesIn(' Max \n\n  \nBella II')).toEqual(['Max', 'Bella II']);
    expect(entriesIn('\n ')).toEqual([]);
  });

  test('omits an optional setting that the user has emptied, but no member that it does not know', () => {
    const stored = { email: 'rex@example.com', barkEffects: ['count'], nickname: '' };
    expect(withChanges(stored, { email: '' })).toEqual({ barkEffects: ['count'], nickname: '' });
    expect(withChanges(stored, { barkEffects: [] })).toEqual({ ...stored, barkEffects: [] });
    const changes = { optionalText: '', optionalBoolean: '', optionalChoices: [], optionalTexts: [] };
    expect(withChanges({ ...stored, optionalTexts: ['Max'] }, changes)).toEqual(stored);
    const kept = { optionalInteger: 0, optionalBoolean: false };
    expect(withChanges(stored, kept)).toEqual({ ...stored, ...kept });
  });
});

describe('The changes of a form', () => {
  const stored = { email: 'rex@example.com', barkEffects: ['count'], 'x-breed': 'Terrier' };
  const email = 'mine@example.com';
  const changes: Changes = change({}, stored, 'email', email);

  test('are laid over what another client has changed', () => {
    const theirs = { ...stored, barkEffects: ['record'], 'x-breed': 'Poodle', owner: 'urn:jane' };
    expect(conflictsOf(changes, theirs)).toEqual([]);
    expect(withChanges(theirs, valuesOf(changes))).toEqual({ ...theirs, email });
  });

  test.each([
    ['another value', { ...stored, email: 'theirs@example.com' }, ['email']],
    ['no value', { barkEffects: ['count'] }, ['email']],
    ['the same value', { ...stored, email }, []],
    ['the value that the user saw', stored, []],
  ])('conflict with the stored field if it has %s', (_, theirs, conflicts) => {
    expect(conflictsOf(changes, theirs)).toEqual(conflicts);
  });

  test('keep the value that the user saw first', () => {
    const theirs = { ...stored, email: 'theirs@example.com' };
    expect(conflictsOf(change(changes, theirs, 'email', 'other@example.com'), theirs)).toEqual(['email']);
  });

  test('treat an absent and an empty setting alike', () => {
    const typed = change({}, {}, 'owner', 'urn:x');
    expect(conflictsOf(change(typed, {}, 'owner', ''), { owner: '' })).toEqual([]);
    const listed = change({}, { optionalTexts: ['Max'] }, 'optionalTexts', []);
    expect(conflictsOf(listed, {})).toEqual([]);
    expect(conflictsOf(change({}, {}, 'optionalBoolean', ''), { optionalBoolean: false })).toEqual([
      'optionalBoolean',
    ]);
  });
});
