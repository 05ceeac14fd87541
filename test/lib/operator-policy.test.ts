import { operatorPolicies } from '../../local/iam/policies.ts';
import { Template } from '../../local/template/template.ts';
import { otherSettings } from '../support/other-settings.ts';
import { synthesizeWith } from '../support/stack-template.ts';

const credentials = Array.from({ length: 10 }, (_, i) => `credentialWithTheLongestName${i}000`);

/** The limit of IAM for a policy. It does not count white space. */
const mostCharactersOfPolicy = 6144;

test('the policies of the operator stay within the limit of IAM, even with the longest names', () => {
  const stage = 'abcdefghijklmnop';
  const { template, stack } = synthesizeWith({ ...otherSettings, stage, credentials });
  const policies = operatorPolicies(new Template(template as never, stack.stackName));
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
  const { properties } = synthesizeWith(otherSettings).named('AWS::IAM::ManagedPolicy', 'Policy');
  expect(properties.PolicyDocument.Statement).toContainEqual(
    expect.objectContaining({
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Resource: otherSettings.encryptionKeyArn,
      Condition: {
        StringEquals: {
          'kms:ViaService': ['dynamodb', 'secretsmanager', 'sqs'].map((service) => ({
            'Fn::Join': ['', [`${service}.`, { Ref: 'AWS::Region' }, '.amazonaws.com']],
          })),
        },
      },
    }),
  );
});
