import { operatorPolicies } from '../../local/iam/policies.ts';
import { Template } from '../../local/template/template.ts';
import { largestSettings, otherSettings } from '../support/other-settings.ts';
import { synthesizeWith } from '../support/stack-template.ts';

/** The limit of IAM for a policy. It does not count white space. */
const mostCharactersOfPolicy = 6144;

test('the policies of the operator stay within the limit of IAM, even with the longest names', () => {
  const { template, stack } = synthesizeWith(largestSettings);
  const policies = operatorPolicies(new Template(template, stack.stackName));
  expect(policies.map(({ name }) => name)).toEqual(['Policy', 'SecretsPolicy']);
  for (const { properties } of policies) {
    const text = JSON.stringify(properties.PolicyDocument);
    const resources = text.match(/arn:/g) ?? [];
    // CloudFormation appends a hyphen and 12 characters to a generated name. The name of a region has up to 14 characters.
    expect(text.length + resources.length * (13 + 14 - 'us-east-1'.length)).toBeLessThan(
      mostCharactersOfPolicy,
    );
  }
});

test('the policy of the operator permits using the key only through DynamoDB, Secrets Manager and SQS', () => {
  const { Statement } = synthesizeWith(otherSettings).named('AWS::IAM::ManagedPolicy', 'Policy').properties
    .PolicyDocument;
  const services = ['dynamodb', 'secretsmanager', 'sqs'].map((name) => `${name}.<AWS::Region>.amazonaws.com`);
  expect(Statement).toContainEqual({
    Effect: 'Allow',
    Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
    Resource: otherSettings.encryptionKeyArn,
    Condition: { StringEquals: { 'kms:ViaService': services } },
  });
});
