import { otherSettings } from '../../support/other-settings.ts';
import { withRemedy } from '../../support/remedy.ts';
import { synthesizeWith, type TemplateResource } from '../../support/stack-template.ts';
import { describeResource, summaryOf } from './summary.ts';

const stack = synthesizeWith();
const other = synthesizeWith(otherSettings);

const review = 'Review each changed line. Then run npm test -- --selectProjects unit -u -- test/lib/stack';

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
});

describe('the summary', () => {
  const queue = (path: string, properties: object, attributes = {}): TemplateResource => ({
    ...{
      id: path.replace('/', ''),
      path,
      name: '',
      type: 'AWS::SQS::Queue',
      properties,
      attributes,
      asset: '',
    },
  });

  test('states values that most resources have in common once', () => {
    const queues = [
      queue('A/One', { Retention: 14, Tags: { team: 'dogs' }, Name: 'one' }),
      queue('A/Two', { Retention: 14, Tags: { team: 'dogs' } }),
      queue('B/Three', { Retention: 7 }, { DependsOn: ['<B/Three/Policy>', '<A/One>'] }),
    ];
    expect(summaryOf(queues).split('\n').filter(Boolean)).toEqual([
      'AWS::SQS::Queue',
      '  usual: Retention=14',
      '  shared: Tags.team=dogs',
      '  A/One  Name=one · Tags.team',
      '  A/Two  Tags.team',
      '  B/Three  DependsOn=[<*/Policy>, <A/One>] · Retention=7',
    ]);
  });

  test('has a line for each statement of a policy', () => {
    const read = { Effect: 'Allow', Action: ['s3:Get', 's3:List'], Resource: '<A/Two.Arn>' };
    const write = {
      Effect: 'Deny',
      Action: 's3:Put',
      Resource: ['*'],
      Principal: '*',
      Condition: { Bool: 1 },
    };
    const policies = [[read, write], [read], []].map((Statement, i) =>
      queue(`A/${i}`, { PolicyDocument: { Statement } }),
    );
    expect(summaryOf(policies).split('\n').filter(Boolean)).toEqual([
      'AWS::SQS::Queue',
      '  usual: Allow s3:Get, s3:List on <A/Two.Arn>',
      '  A/0',
      '    Deny s3:Put on * by * if {Bool=1}',
      '  A/1',
      '  A/2  PolicyDocument.Statement=[]',
      '    without Allow s3:Get, s3:List on <A/Two.Arn>',
    ]);
  });

  test('ends a long value with its digest', () => {
    const [one, two] = ['a', 'b'].map((end) =>
      summaryOf([queue('A/One', { Text: 'x'.repeat(1_000) + end })]),
    );
    expect(one).toMatch(/^ {2}A\/One {2}Text=x{200}… \(sha256 [0-9a-f]{12}\)$/m);
    expect(one).not.toBe(two);
  });

  test('shows each change of a property, an attribute or a reference', () => {
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
});
