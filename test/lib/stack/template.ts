import { aliasSettings } from '../../support/extensions.ts';
import { otherSettings } from '../../support/other-settings.ts';
import { withRemedy } from '../../support/remedy.ts';
import { synthesizeWith } from '../../support/stack-template.ts';
import { changesBetween, describeResource, summaryOf } from './summary.ts';

const stack = synthesizeWith();
const other = synthesizeWith(otherSettings);

const review = 'Review each changed line. Then run npm run test:unit -- -u test/lib/stack';

describe('the template', () => {
  test('has the resources in its summary', () => {
    withRemedy(review, () => expect(summaryOf(stack.resources, stack.outputs)).toMatchSnapshot());
  });

  test('has these resources only with other settings', () => {
    const paths = new Set(stack.resources.map(({ path }) => path));
    const resources = other.resources.filter(({ path }) => !paths.has(path));
    const outputs = Object.entries(other.outputs).filter(([name]) => !(name in stack.outputs));
    withRemedy(review, () => expect(summaryOf(resources, Object.fromEntries(outputs))).toMatchSnapshot());
  });

  test('has these changes with other settings, besides those of its names, tags and aliases', () => {
    const { stage, tags } = otherSettings;
    const named = synthesizeWith({ stage, tags, ...aliasSettings });
    withRemedy(review, () => expect(changesBetween(named.resources, other.resources)).toMatchSnapshot());
  });
});

test('the summary shows each change of a property, an attribute or a reference', () => {
  const unseen: string[] = [];
  for (const resource of other.resources) {
    const before = JSON.stringify(describeResource(resource));
    for (const change of changesOf({ properties: resource.properties, attributes: resource.attributes }))
      if (JSON.stringify(describeResource({ ...resource, ...(change as object) })) === before)
        unseen.push(`${resource.path}: ${JSON.stringify(change)}`);
  }
  expect(unseen).toEqual([]);
});

/** Returns copies of a value, in each of which one number, text or Boolean is different. */
function changesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [`${value} changed`];
  return Object.entries(value).flatMap(([name, member]) =>
    changesOf(member).map((changed) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  );
}
