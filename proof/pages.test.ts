import { checkPages, pages, textOf } from '../test/support/pages.ts';

checkPages();

test.each(pages.filter((page) => page.startsWith('proof/adr/0')))(
  '%s begins with its number, title, status and date',
  (record) => {
    const number = Number(/\d{4}/.exec(record));
    expect(textOf(record)).toMatch(
      new RegExp(
        `^# ${number}\\. .+\n\nStatus: (?:accepted|(?:superseded|amended) by)\\b.* · \\d{4}-\\d\\d-\\d\\d`,
      ),
    );
  },
);
