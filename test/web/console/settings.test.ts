import { settingNames, settingOf, settingTexts } from '../../../lambdas/contract/dog-settings.ts';
import { openApiDocument } from '../../../openapi/document.ts';
import {
  fieldNames,
  firstSettings,
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

  test('has a field for each setting, and a text for its value', () => {
    expect([...fieldNames].sort()).toEqual([...settingNames].sort());
    for (const name of fieldNames)
      expect(textOf(settingTexts[name].example)).toBe([settingTexts[name].example].flat().join(', '));
    expect(textOf({ color: 'red' })).toBe('{"color":"red"}');
  });

  test('creates a dog with a value for each setting that has a default or is always set', () => {
    expect(firstSettings).toEqual({ barkEffects: ['record'], barkHandling: 'sync' });
    for (const name of settingNames)
      if (settingOf(name).isAlwaysSet) expect(firstSettings).toHaveProperty(name);
  });

  test('omits an optional setting that the user has emptied, but no member that it does not know', () => {
    const stored = { email: 'rex@example.com', barkEffects: ['count'], nickname: '' };
    expect(withChanges(stored, { email: '' })).toEqual({ barkEffects: ['count'], nickname: '' });
    expect(withChanges(stored, { barkEffects: [] })).toEqual({ ...stored, barkEffects: [] });
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
  });
});
