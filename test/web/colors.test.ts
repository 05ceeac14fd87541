import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { style } from '../../lambdas/http/subscription-style.ts';

test('the page of a subscription has the colors of the other pages', () => {
  const theme = readFileSync(join(import.meta.dirname, '../../web/shared/theme.css'), 'utf8');
  const colors = style.match(/--[\w-]+: .*;/g) ?? [];
  expect(colors.length).toBeGreaterThan(5);
  for (const color of colors) expect(theme).toContain(color);
});
