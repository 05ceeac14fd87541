import { valueIn } from '../../../bin/cli/setting-values.ts';
import type { Setting } from '../../../lambdas/contract/dog-settings.ts';

const integer: Setting = { kind: 'integer', minimum: -9, maximum: 9 };
const texts: Setting = { kind: 'texts', entry: 'name', maxLength: 9, maxItems: 9 };

test.each<[Setting, string, unknown]>([
  [{ kind: 'text', maxLength: 9 }, ' a,b ', ' a,b '],
  [integer, '-9', -9],
  [integer, '0', 0],
  [integer, '', ''],
  [integer, '1.5', '1.5'],
  [integer, '1e1', '1e1'],
  [{ kind: 'boolean' }, 'true', true],
  [{ kind: 'boolean' }, 'false', false],
  [{ kind: 'boolean' }, '', ''],
  [{ kind: 'choice', choices: ['a'] }, 'a', 'a'],
  [{ kind: 'choices', entry: 'trick', choices: ['a', 'b'] }, 'a,b', ['a', 'b']],
  [texts, 'Max', ['Max']],
  [texts, 'Max, Bella II ,,', ['Max', 'Bella II', '', '']],
])('The option of a setting %j with the text %j has the value %j', (setting, text, value) => {
  expect(valueIn(setting, text)).toEqual(value);
});
