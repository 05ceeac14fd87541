import fc from 'fast-check';
import * as v from 'valibot';
import {
  mapSettings,
  type Setting,
  settingNames,
  settingOf,
  settingTexts,
} from '../../../lambdas/contract/dog-settings.ts';
import { DogPutDocument } from '../../../lambdas/domain/dogs/schema.ts';
import { openApiDocument } from '../../../openapi/document.ts';
import {
  fieldNames,
  firstSettings,
  newDogOf,
  type Settings,
  settingsErrors,
  settingsOf,
  textOf,
} from '../../../web/console/dogs/settings.ts';
import { isSameSettings, mergeSettings, withFields } from '../../../web/console/dogs/settings-merge.ts';
import { nearlyUrl } from '../../support/texts.ts';

/** Returns values that the fields of a form can have, by setting. @param given other values for some settings */
function settingValues(
  given: Readonly<Partial<Record<string, fc.Arbitrary<unknown>>>> = {},
): fc.Arbitrary<Settings> {
  return fc.record(
    mapSettings((name) => given[name] ?? arbitraryOf(settingOf(name))),
  ) as unknown as fc.Arbitrary<Settings>;
}

function arbitraryOf(setting: Setting): fc.Arbitrary<unknown> {
  if (setting.kind === 'list') return fc.subarray([...setting.choices]);
  if (setting.kind === 'choice') return fc.constantFrom(...setting.choices);
  if (setting.kind === 'switch') return fc.boolean();
  return fc.string({ unit: 'grapheme', maxLength: setting.maxLength * 2 });
}

const nearlyAddress = fc.oneof(
  fc.emailAddress(),
  fc.constantFrom('', 'rex', 'rex@', '@example.com', 'rex@example', 'r x@example.com', 'rex@-a.com'),
  fc.constantFrom('a..b@example.com', '.a@example.com', 'a.@example.com', `${'a'.repeat(65)}@example.com`),
);

const settings = settingValues({
  email: nearlyAddress,
  owner: fc.oneof(
    nearlyAddress.map((address) => `mailto:${address}`),
    nearlyAddress.map((address) => `MAILTO:${encodeURIComponent(address)}`),
    fc.constantFrom('', 'urn:owner', 'mailto:a@b.org,c@d.org', 'mailto:a@b.org?subject=x', 'a b', '%', '#é'),
    nearlyUrl,
  ),
});

function refusedBy(fields: Settings): string[] {
  const { issues = [] } = v.safeParse(DogPutDocument, newDogOf(fields));
  return issues.map((issue) => String(issue.path?.[0]?.key));
}

test('the console refuses settings before sending if the service would refuse them, and no others', () => {
  fc.assert(
    fc.property(settings, (fields) => {
      const found = Object.keys(settingsErrors(fields));
      const refused = new Set(refusedBy(fields));
      for (const name of found) expect(refused).toContain(name);
      expect(found.length > 0).toBe(refused.size > 0);
    }),
    { numRuns: 200 },
  );
});

test('the console lets a dog keep invalid addresses that it already has, and nothing else', () => {
  const stored: Settings = {
    ...firstSettings,
    email: 'a..b@example.com',
    owner: 'mailto:.a@example.com',
    barkEffects: ['emailDog', 'emailOwner'],
  };
  expect(settingsErrors({ ...stored, barkHandling: 'async' }, stored)).toEqual({});
  const other = { ...stored, email: 'c..d@example.com', owner: 'mailto:.c@example.com' };
  expect(Object.keys(settingsErrors(other, stored))).toEqual(['email', 'owner']);
  expect(Object.keys(settingsErrors(stored, { ...stored, barkEffects: ['count'] }))).toEqual(['owner']);
  expect(Object.keys(settingsErrors(stored))).toEqual(['email', 'owner']);
});

type Dog = Parameters<typeof settingsOf>[0];

describe('The console', () => {
  const members = Object.keys(openApiDocument().components?.schemas?.Dog?.properties ?? {});
  const shown = { ...Object.fromEntries(members.map((name) => [name, name])), barkEffects: ['record'] };

  test('sends back each member of a dog that is not read-only', () => {
    const other = { 'x-breed': 'Terrier', tags: [], nickname: '', collar: { color: 'red' } };
    const body = newDogOf(settingsOf({ ...shown, ...other } as unknown as Dog));
    expect(Object.keys(body).sort()).toEqual([...settingNames, ...Object.keys(other)].sort());
    expect(body).toMatchObject(other);
  });

  test('sends back the entries of a list and the choices that it does not know, and adds no member', () => {
    const dog = { id: 'rex', barkEffects: ['wag', 'record', 'count'], barkHandling: 'later' };
    expect(newDogOf(settingsOf(dog as unknown as Dog))).toEqual({
      barkEffects: ['count', 'record', 'wag'],
      barkHandling: 'later',
    });
  });

  test('has a field for each setting, and its text', () => {
    expect([...fieldNames].sort()).toEqual([...settingNames].sort());
    for (const name of fieldNames) {
      const settings = { ...firstSettings, [name]: settingTexts[name].example };
      expect(textOf(settings, name)).toBe([settingTexts[name].example].flat().join(', '));
      expect(textOf(firstSettings, name)).not.toBe('');
    }
  });

  test('shows a member that it does not know as JSON', () => {
    const settings = { ...firstSettings, 'x-breed': 'Terrier', collar: { color: 'red' } };
    expect(textOf(settings, 'x-breed')).toBe('Terrier');
    expect(textOf(settings, 'collar')).toBe('{"color":"red"}');
    expect(textOf(settings, 'nickname')).toBe('no value');
  });
});

const fewSettings = settingValues({
  email: fc.constantFrom('', 'rex@example.com', 'max@example.com'),
  owner: fc.constantFrom('', 'mailto:jane@example.com', 'mailto:joe@example.com'),
});

describe('mergeSettings()', () => {
  test('takes a member that the console does not know from the other side', () => {
    const email = 'rex@example.com';
    const from = { ...firstSettings, 'x-breed': 'Terrier', old: 1 };
    const { old: _, ...kept } = from;
    const theirs: Settings = { ...kept, 'x-breed': 'Poodle', collar: { color: 'red' } };
    const { merged, conflicts, taken } = mergeSettings(from, { ...from, email }, theirs);
    expect({ conflicts, taken }).toEqual({ conflicts: [], taken: ['x-breed', 'old', 'collar'] });
    const body = { 'x-breed': 'Poodle', collar: { color: 'red' }, email };
    expect(JSON.parse(JSON.stringify(newDogOf(merged)))).toEqual({ ...newDogOf(firstSettings), ...body });
    expect([isSameSettings(from, theirs), isSameSettings(merged, theirs)]).toEqual([false, false]);
  });

  test('takes what only the other side changed, keeps the rest, and reports fields with two new values', () => {
    fc.assert(
      fc.property(fewSettings, fewSettings, fewSettings, (from, mine, theirs) => {
        const { merged, conflicts, taken } = mergeSettings(from, mine, theirs);
        const other = mergeSettings(from, theirs, mine);
        expect(isSameSettings(merged, withFields(other.merged, mine, conflicts))).toBe(true);
        for (const name of settingNames) {
          const [was, my, their] = [from, mine, theirs].map((side) => String(side[name]));
          expect(String(merged[name])).toBe(my === was ? their : my);
          expect(taken.includes(name)).toBe(my === was && their !== was);
          expect(conflicts.includes(name)).toBe(my !== was && their !== was && my !== their);
        }
      }),
    );
  });
});
