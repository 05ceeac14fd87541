import { account, arn, region } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { aliasedFunction } from '../support/aliased-function.ts';

const resources = {
  Dogs: { Type: 'AWS::DynamoDB::Table', Properties: { TableClass: 'STANDARD' } },
  Api: { Type: 'AWS::ApiGateway::RestApi' },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'prod' } },
  Queue: { Type: 'AWS::SQS::Queue' },
  ...aliasedFunction,
};

function templateWith(Properties: object): Template {
  const Owner = { Type: 'AWS::IAM::Policy', Properties };
  return new Template({ Resources: { ...resources, Owner } }, 'Stack');
}

function resolved(value: unknown): unknown {
  const [owner] = templateWith({ value }).ofType('AWS::IAM::Policy');
  return owner?.properties.value;
}

test.each<[string, unknown, unknown]>([
  ['null', null, null],
  ['a list', ['a', 1, [true]], ['a', 1, [true]]],
  ['an object', { a: { b: 'c' } }, { a: { b: 'c' } }],
  ['an object with Ref and more', { Ref: 'Dogs', b: 1 }, { Ref: 'Dogs', b: 1 }],
  ['the name of a table', { Ref: 'Dogs' }, 'Stack-Dogs'],
  ['the name of a stage', { Ref: 'Stage' }, 'prod'],
  ['the URL of a queue', { Ref: 'Queue' }, 'https://sqs.us-east-1.amazonaws.com/000000000000/Stack-Queue'],
  ['the account', { Ref: 'AWS::AccountId' }, account],
  ['the region', { Ref: 'AWS::Region' }, region],
  ['the partition', { Ref: 'AWS::Partition' }, 'aws'],
  ['the suffix of URLs', { Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
  ['the ARN of a table', { 'Fn::GetAtt': ['Dogs', 'Arn'] }, arn('dynamodb', 'table/Stack-Dogs')],
  [
    'the ARN of a stream',
    { 'Fn::GetAtt': ['Dogs', 'StreamArn'] },
    arn('dynamodb', 'table/Stack-Dogs/stream/1'),
  ],
  ['the ARN of a function', { 'Fn::GetAtt': ['Bark', 'Arn'] }, arn('lambda', 'function:Stack-Bark')],
  ['the ARN of a version', { Ref: 'BarkVersion' }, arn('lambda', 'function:Stack-Bark:1')],
  ['the ARN of an alias', { Ref: 'BarkLive' }, arn('lambda', 'function:Stack-Bark:live')],
  ['the name of a queue', { 'Fn::GetAtt': ['Queue', 'QueueName'] }, 'Stack-Queue'],
  ['the root of an API', { 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'Stack-Api-root'],
  ['a join', { 'Fn::Join': ['-', ['a', { Ref: 'Dogs' }, 'b']] }, 'a-Stack-Dogs-b'],
  ['a join of an empty list', { 'Fn::Join': [',', []] }, ''],
  ['a split', { 'Fn::Split': [':', 'a:b:c'] }, ['a', 'b', 'c']],
  ['an item selected from a list', { 'Fn::Select': [1, ['a', 'b']] }, 'b'],
  ['an item selected from a list by an index that is text', { 'Fn::Select': ['0', ['a', 'b']] }, 'a'],
  ['a substitution', { 'Fn::Sub': 'x-$' + '{AWS::Region}-$' + '{Dogs}' }, `x-${region}-Stack-Dogs`],
  ['a text without substitutions', { 'Fn::Sub': 'x$y' }, 'x$y'],
  [
    'nested intrinsic functions',
    { 'Fn::Select': [3, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Bark', 'Arn'] }] }] },
    region,
  ],
])('The template resolves %s', (_, value, expected) => {
  expect(resolved(value)).toEqual(expected);
});

const join = { 'Fn::Join': ['-', ['dogs', { Ref: 'AWS::Region' }]] };
const name = `dogs-${region}`;

test.each([
  ['AWS::IAM::Role', 'RoleName', `arn:aws:iam::${account}:role/${name}`],
  ['AWS::Lambda::Function', 'FunctionName', arn('lambda', `function:${name}`)],
  ['AWS::SQS::Queue', 'QueueName', arn('sqs', name)],
  ['AWS::Scheduler::Schedule', 'Name', arn('scheduler', `schedule/default/${name}`)],
  ['AWS::Scheduler::ScheduleGroup', 'Name', arn('scheduler', `schedule-group/${name}`)],
])('The ARN of an %s contains the name in the template, or a generated one', (Type, property, expected) => {
  const named = new Template({ Resources: { Named: { Type, Properties: { [property]: join } } } }, 'Stack');
  const nameless = new Template({ Resources: { Nameless: { Type } } }, 'Stack');
  expect(named.resources.map((resource) => named.arnOf(resource))).toEqual([expected]);
  expect(nameless.resources.map((resource) => nameless.arnOf(resource))).toEqual([
    expected.replace(name, 'Stack-Nameless'),
  ]);
});

test('The ARN of a schedule contains its group, even if the group comes later in the template', () => {
  const Resources = {
    Bark: { Type: 'AWS::Scheduler::Schedule', Properties: { Name: 'bark', GroupName: { Ref: 'Group' } } },
    Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'dogs' } },
  };
  const template = new Template({ Resources }, 'Stack');
  const [schedule] = template.ofType('AWS::Scheduler::Schedule');
  expect(schedule && [template.idOf(schedule), template.arnOf(schedule)]).toEqual([
    'bark',
    arn('scheduler', 'schedule/dogs/bark'),
  ]);
});

test.each([
  ['with the name in the template', 'Stack', { Name: 'dogs/token' }, 'dogs/token'],
  ['with one hyphen in a generated name', 'Stack', {}, 'Stack-Secret'],
  ['for any name of the stack', 'Dog-Service-prod', {}, 'DogServiceprod-Secret'],
])(
  'The Ref of a secret is an ARN %s and a suffix that depends on the name',
  (_, stackName, Properties, name) => {
    const Resources = { Secret: { Type: 'AWS::SecretsManager::Secret', Properties } };
    const document = { Resources, Outputs: { Ref: { Value: { Ref: 'Secret' } } } };
    const outputsOf = () => new Template(document, stackName).outputs;
    const { Ref = '' } = outputsOf();
    expect(outputsOf()).toEqual({ Ref });
    expect(Ref.slice(0, -7)).toBe(arn('secretsmanager', `secret:${name}`));
    expect(Ref.slice(-7)).toMatch(/^-[0-9a-f]{6}$/);
  },
);

describe('Throws an error with the logical ID of the resource for', () => {
  test.each<[string, unknown, string]>([
    ['a reference to an unknown resource', { Ref: 'Cats' }, 'the template has no Cats'],
    ['an unsupported pseudo parameter', { Ref: 'AWS::NoValue' }, 'the template has no AWS::NoValue'],
    ['an attribute of an unknown resource', { 'Fn::GetAtt': ['Cats', 'Arn'] }, 'the template has no Cats'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Dogs', 'Bark'] }, 'does not support Dogs.Bark'],
    ['a substitution of an unknown resource', { 'Fn::Sub': 'a $' + '{Cats}' }, 'the template has no Cats'],
    ['an unknown intrinsic function', { 'Fn::ImportValue': 'other' }, 'does not support Fn::ImportValue'],
  ])('%s', (_, value, message) => {
    expect(() => templateWith({ deep: [{ value }] })).toThrow(`Owner: `);
    expect(() => templateWith({ deep: [{ value }] })).toThrow(message);
  });

  test('an unknown resource type, or an output of an unknown resource', () => {
    const topic = { Resources: { Topic: { Type: 'AWS::SNS::Topic' } } };
    const message = 'Topic: the local cloud does not support AWS::SNS::Topic.';
    expect(() => new Template(topic, 'Stack')).toThrow(message);
    const output = { Resources: resources, Outputs: { Url: { Value: { Ref: 'Cats' } } } };
    expect(() => new Template(output, 'Stack')).toThrow('Url: the template has no Cats');
  });
});

describe('A resource', () => {
  const template = new Template(
    {
      Resources: {
        ...resources,
        CDKMetadata: { Type: 'AWS::CDK::Metadata' },
        ApiGetDog12AB: {
          Type: 'AWS::Lambda::Function',
          Properties: { Environment: { Variables: { DOGS_TABLE: { Ref: 'Dogs' } } } },
          Metadata: { 'aws:cdk:path': 'DogService-prod/Api/GetDog/Resource', 'aws:asset:path': 'asset.1' },
        },
      },
      Outputs: { DogsTable: { Value: { Ref: 'Dogs' } }, Five: { Value: 5 } },
    },
    'Stack',
  );
  const [bare, lambda] = template.ofType('AWS::Lambda::Function');

  test('has the name of its construct, or its logical ID if it has no construct', () => {
    expect([bare, lambda].map((resource) => resource?.name)).toEqual(['Bark', 'GetDog']);
  });

  test('has resolved properties, and the path of its asset', () => {
    const Environment = { Variables: { DOGS_TABLE: 'Stack-Dogs' } };
    expect(lambda?.properties).toEqual({ Environment, assetPath: 'asset.1' });
    expect(bare?.properties).toEqual({});
  });

  test('without an ARN causes an error if its ARN is requested', () => {
    const [stage] = template.ofType('AWS::ApiGateway::Stage');
    expect(() => stage && template.arnOf(stage)).toThrow('does not support Stage.Arn');
  });

  test('does not come from the metadata of the CDK', () => {
    const ids = template.resources.map(({ logicalId }) => logicalId);
    expect(ids).toEqual([...Object.keys(resources), 'ApiGetDog12AB']);
  });

  test('can be an output', () => {
    expect(template.outputs).toEqual({ DogsTable: 'Stack-Dogs', Five: '5' });
  });
});

describe('Template.entryPoints', () => {
  test('has each function, and each alias with its version', () => {
    const { entryPoints } = new Template({ Resources: resources }, 'Stack');
    const ofFunction = expect.objectContaining({ logicalId: 'Bark' });
    expect(entryPoints).toEqual([
      {
        arn: arn('lambda', 'function:Stack-Bark'),
        lambda: ofFunction,
        qualifier: '$LATEST',
        version: '$LATEST',
      },
      { arn: arn('lambda', 'function:Stack-Bark:live'), lambda: ofFunction, qualifier: 'live', version: '1' },
    ]);
  });

  test('throws an error if the function of an alias is not in the template', () => {
    const { Bark: _, ...others } = resources;
    expect(() => new Template({ Resources: others }, 'Stack').entryPoints).toThrow('BarkVersion');
  });
});
