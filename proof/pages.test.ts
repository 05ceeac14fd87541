import { checkPages, pages, textOf } from '../test/support/pages.ts';
import { withRemedy } from '../test/support/remedy.ts';

checkPages();

test('proof/adr/README.md lists each decision record with its title, and its status unless it is accepted', () => {
  const records = pages.filter((page) => page.startsWith('proof/adr/0'));
  const rows = [...textOf('proof/adr/README.md').matchAll(/^- \[(\d+\. .*)\]\(([^)]*)\)(?: \((.*)\))?$/gm)];
  expect(rows.map(([, , file]) => `proof/adr/${file}`)).toEqual(records);
  for (const [, title, file = '', status = 'accepted'] of rows)
    withRemedy(`Write the title and the status of ${file} into its line.`, () => {
      const record = textOf(`proof/adr/${file}`).replace(/\[(?:record )?([^\]]*)\]\([^)]*\)/g, '$1');
      const [, stated = '', statedStatus = ''] =
        /^# (.*)\n\nStatus: (.*) · \d{4}-\d\d-\d\d/m.exec(record) ?? [];
      expect(stated).toBe(title);
      expect(statedStatus.replace(/^accepted, /, '')).toBe(status);
    });
});
