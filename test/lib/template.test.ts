import { synthesizeWith } from '../support/stack-template.ts';

/** The template without what changes with the code of the functions, and what only tools of the CDK read. */
function snapshotOf(template: object): unknown {
  const text = JSON.stringify(template, (key, value) => (key === 'Metadata' ? undefined : value));
  return JSON.parse(text.replace(/\b[0-9a-f]{64}\b/g, '<asset>'));
}

test('what is deployed changes only on purpose', () => {
  expect(snapshotOf(synthesizeWith().template)).toMatchSnapshot();
});

test('the snapshot holds no path of a machine, and no digest of code', () => {
  const text = JSON.stringify(snapshotOf(synthesizeWith().template));
  expect(text).not.toContain(process.cwd());
  expect(text).not.toMatch(/[0-9a-f]{64}/);
  expect(text).toContain('<asset>.zip');
});
