import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { Template as Assertions } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { account, arn, type Properties, region, Template } from '../../../local/template/template.ts';
import { aliasedFunction } from '../../support/aliased-function.ts';

const resources = {
  Dogs: { Type: 'AWS::DynamoDB::Table', Properties: { TableClass: 'STANDARD' } },
  Api: { Type: 'AWS::ApiGateway::RestApi' },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'prod' } },
  Queue: { Type: 'AWS::SQS::Queue' },
  ...aliasedFunction,
};

function templateWith(properties: object): Template {
  return new Template({ Resources: { ...resources, Owner: ownerWith(properties) } }, 'Stack');
}

function ownerWith(properties: object) {
  return { Type: 'AWS::IAM::Policy', Properties: { ...properties } };
}

/** What a value is on this machine, where a resource named `Owner` has it. */
function resolved(value: unknown): unknown {
  const [owner] = templateWith({ value }).ofType('AWS::IAM::Policy');
  return owner?.properties.value;
}

describe('What a value of the template is on this machine', () => {
  test.each<[string, unknown, unknown]>([
    ['text', 'text', 'text'],
    ['a number', 7, 7],
    ['false', false, false],
    ['null', null, null],
    ['an empty object', {}, {}],
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
    ['the name of the stack', { Ref: 'AWS::StackName' }, 'Stack'],
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
    ['a join of nothing', { 'Fn::Join': [',', []] }, ''],
    ['a split', { 'Fn::Split': [':', 'a:b:c'] }, ['a', 'b', 'c']],
    ['one of a list', { 'Fn::Select': [1, ['a', 'b']] }, 'b'],
    ['one of a list, by text', { 'Fn::Select': ['0', ['a', 'b']] }, 'a'],
    ['a substitution', { 'Fn::Sub': 'x-$' + '{AWS::Region}-$' + '{Dogs}' }, `x-${region}-Stack-Dogs`],
    ['a text without substitutions', { 'Fn::Sub': 'x$y' }, 'x$y'],
    [
      'intrinsics in one another',
      { 'Fn::Select': [3, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Bark', 'Arn'] }] }] },
      region,
    ],
    ['an intrinsic deep in an object', { a: [{ b: { Ref: 'Dogs' } }] }, { a: [{ b: 'Stack-Dogs' }] }],
    ['a property without a value', { a: 1, b: { Ref: 'AWS::NoValue' } }, { a: 1 }],
    ['an item without a value', ['a', { Ref: 'AWS::NoValue' }, 'b'], ['a', 'b']],
  ])('%s', (_, value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });
});

describe('A name that the template gives a resource is its name', () => {
  const join = { 'Fn::Join': ['-', ['dogs', { Ref: 'AWS::Region' }]] };
  const name = `dogs-${region}`;

  test.each([
    ['AWS::IAM::Role', 'RoleName', `arn:aws:iam::${account}:role/${name}`],
    ['AWS::Lambda::Function', 'FunctionName', arn('lambda', `function:${name}`)],
    ['AWS::SQS::Queue', 'QueueName', arn('sqs', name)],
    ['AWS::Scheduler::Schedule', 'Name', arn('scheduler', `schedule/default/${name}`)],
    ['AWS::Scheduler::ScheduleGroup', 'Name', arn('scheduler', `schedule-group/${name}`)],
  ])('%s', (Type, property, expected) => {
    const named = new Template({ Resources: { Named: { Type, Properties: { [property]: join } } } }, 'Stack');
    const nameless = new Template({ Resources: { Nameless: { Type } } }, 'Stack');
    expect(named.resources.map((resource) => named.arnOf(resource))).toEqual([expected]);
    expect(nameless.resources.map((resource) => nameless.arnOf(resource))).toEqual([
      expected.replace(name, 'Stack-Nameless'),
    ]);
  });
});

test('A schedule is in its group, which may come later in the template', () => {
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

describe('A secret is known by its ARN', () => {
  const identityOf = (stackName: string, Properties: object = {}) => {
    const Secret = { Type: 'AWS::SecretsManager::Secret', Properties };
    const Outputs = { Ref: { Value: { Ref: 'Secret' } }, Id: { Value: { 'Fn::GetAtt': ['Secret', 'Id'] } } };
    return new Template({ Resources: { Secret }, Outputs }, stackName).outputs;
  };
  const start = arn('secretsmanager', 'secret:');

  test.each([
    ['with the name that the template gives it', 'Stack', { Name: 'dogs/token' }, 'dogs/token'],
    ['with one hyphen in a name that it does not', 'Stack', {}, 'Stack-Secret'],
    ['whatever the name of the stack', 'Dog-Service-prod', {}, 'DogServiceprod-Secret'],
  ])('%s', (_, stackName, properties, name) => {
    const { Ref = '', Id } = identityOf(stackName, properties);
    expect(Id).toBe(Ref);
    expect(Ref.slice(0, -7)).toBe(`${start}${name}`);
    expect(Ref.slice(-7)).toMatch(/^-[0-9a-f]{6}$/);
  });

  test('which is the same at each start, and another for another name', () => {
    const suffix = (Name: string) => identityOf('Stack', { Name }).Ref?.slice(-6);
    expect(suffix('one')).toBe(suffix('one'));
    expect(suffix('one')).not.toBe(suffix('two'));
  });
});

test('What the CDK makes of a secret and its grants means something on this machine', () => {
  const stack = new Stack(new App(), 'Dog-Service');
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  for (const [id, props] of Object.entries({ Token: {}, Named: { secretName: 'dogs-token' } })) {
    const secret = new Secret(stack, id, props);
    secret.grantRead(role);
    secret.grantWrite(role);
    secret.denyAccountRootDelete();
    new CfnOutput(stack, `${id}Arn`, { value: secret.secretArn });
    new CfnOutput(stack, `${id}Name`, { value: secret.secretName });
  }
  const document = Assertions.fromStack(stack).toJSON();
  const { outputs, resources } = new Template(
    document as ConstructorParameters<typeof Template>[0],
    'Dog-Service',
  );
  const { TokenArn = '', NamedArn = '' } = outputs;
  expect(outputs.NamedName).toBe('dogs-token');
  expect(TokenArn).toContain(`:secret:${outputs.TokenName}-`);
  const policy = resources.find(({ type }) => type === 'AWS::IAM::Policy');
  const allowed = policy?.properties.PolicyDocument.Statement.map(({ Resource }: Properties) => Resource);
  expect(new Set(allowed)).toEqual(new Set([TokenArn, NamedArn]));
});

describe('What this machine does not know is an error that names the resource', () => {
  test.each<[string, unknown, string]>([
    ['a reference to nothing', { Ref: 'Cats' }, 'there is no Cats in the template'],
    ['a reference to a parameter', { Ref: 'BootstrapVersion' }, 'there is no BootstrapVersion'],
    ['a pseudo parameter', { Ref: 'AWS::StackId' }, 'there is no AWS::StackId'],
    ['an attribute of nothing', { 'Fn::GetAtt': ['Cats', 'Arn'] }, 'there is no Cats in the template'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Dogs', 'Bark'] }, 'does not know Dogs.Bark'],
    ['a substitution of nothing', { 'Fn::Sub': 'a $' + '{Cats}' }, 'there is no Cats in the template'],
    ['an unknown intrinsic', { 'Fn::ImportValue': 'other' }, 'does not know Fn::ImportValue'],
    ['a condition', { 'Fn::If': ['a', 'b', 'c'] }, 'does not know Fn::If'],
    ['an intrinsic deep in a join', { 'Fn::Join': ['', [{ 'Fn::Cidr': [] }]] }, 'does not know Fn::Cidr'],
  ])('%s', (_, value, message) => {
    expect(() => templateWith({ deep: [{ value }] })).toThrow(`Owner: `);
    expect(() => templateWith({ deep: [{ value }] })).toThrow(message);
  });

  test('a type of resource', () => {
    const Resources = { ...resources, Topic: { Type: 'AWS::SNS::Topic' } };
    expect(() => new Template({ Resources }, 'Stack')).toThrow(
      'Topic: this machine has no part for AWS::SNS::Topic.',
    );
  });

  test('an output of nothing', () => {
    const Outputs = { Url: { Value: { Ref: 'Cats' } } };
    expect(() => new Template({ Resources: resources, Outputs }, 'Stack')).toThrow('Url: there is no Cats');
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

  test('bears the name of its construct, or its logical id where there is none', () => {
    expect([bare, lambda].map((resource) => resource?.name)).toEqual(['Bark', 'GetDog']);
  });

  test('has its properties resolved, and tells where its asset lies', () => {
    expect(lambda?.properties).toEqual({
      Environment: { Variables: { DOGS_TABLE: 'Stack-Dogs' } },
      assetPath: 'asset.1',
    });
    expect(bare?.properties).toEqual({});
  });

  test('has an id and an ARN', () => {
    expect(lambda && [template.idOf(lambda), template.arnOf(lambda)]).toEqual([
      'Stack-ApiGetDog12AB',
      arn('lambda', 'function:Stack-ApiGetDog12AB'),
    ]);
  });

  test('that has no ARN is an error to ask for', () => {
    const [stage] = template.ofType('AWS::ApiGateway::Stage');
    expect(() => stage && template.arnOf(stage)).toThrow('does not know Stage.Arn');
  });

  test("is none of those that only tell of the CDK's version", () => {
    expect(template.resources.map(({ logicalId }) => logicalId)).toEqual([
      ...Object.keys(resources),
      'ApiGetDog12AB',
    ]);
  });

  test('is found by its type alone', () => {
    expect(template.ofType('AWS::IAM::Role')).toEqual([]);
    expect(template.ofType('AWS::DynamoDB::Table')).toHaveLength(1);
  });

  test('may be told to the operator', () => {
    expect(template.outputs).toEqual({ DogsTable: 'Stack-Dogs', Five: '5' });
  });
});

describe('Template.entryPoints', () => {
  test('are each function, and each alias with the version that it points to', () => {
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

  test('throw an error for an alias without a function', () => {
    const { Bark: _, ...others } = resources;
    expect(() => new Template({ Resources: others }, 'Stack').entryPoints).toThrow('BarkVersion');
  });
});
