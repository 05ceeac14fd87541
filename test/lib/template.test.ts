import { synthesizeWith } from '../support/stack-template.ts';

/** Returns the template without the digests of code, which change with each function, and without the metadata of the CDK. */
function snapshotOf(template: object): unknown {
  const text = JSON.stringify(template, (key, value) => (key === 'Metadata' ? undefined : value));
  return JSON.parse(text.replace(/\b[0-9a-f]{64}\b/g, '<asset>'));
}

test('the template is the same as its snapshot', () => {
  expect(snapshotOf(synthesizeWith().template)).toMatchSnapshot();
});

test('the snapshot contains no local path and no digest of code', () => {
  const text = JSON.stringify(snapshotOf(synthesizeWith().template));
  expect(text).not.toContain(process.cwd());
  expect(text).not.toMatch(/[0-9a-f]{64}/);
  expect(text).toContain('<asset>.zip');
});
