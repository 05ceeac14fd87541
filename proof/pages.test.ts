import { checkPages, pages, textOf } from '../test/support/pages.ts';
import { withRemedy } from '../test/support/remedy.ts';

checkPages();

test('proof/adr/README.md lists each decision record with its title, status and date', () => {
  const withoutLinks = (text: string) => text.replace(/\[(?:record )?([^\]]*)\]\([^)]*\)/g, '$1');
  const records = pages.filter((page) => page.startsWith('proof/adr/0'));
  const rows = [
    ...textOf('proof/adr/README.md').matchAll(
      /^\| \[(\d+\. .*)\]\((.*)\) +\| (?:(.*) · )?(\d{4}-\d\d-\d\d) +\|$/gm,
    ),
  ];
  expect(rows.map(([, , file]) => `proof/adr/${file}`)).toEqual(records);
  for (const [, title, file = '', status = 'accepted', date = ''] of rows)
    withRemedy(`Write the title, the status and the latest date of ${file} into its row.`, () => {
      const record = withoutLinks(textOf(`proof/adr/${file}`));
      const [, stated = '', stateOf = ''] = /^# (.*)\n\nStatus: (.*)$/m.exec(record) ?? [];
      expect(stated).toBe(title);
      expect(stateOf).toMatch(new RegExp(`^(accepted, )?${status} · .*${date}$`));
    });
});
