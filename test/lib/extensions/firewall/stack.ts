import { otherSettings } from '../../../support/other-settings.ts';
import { synthesizeWith } from '../../../support/stack-template.ts';

const other = synthesizeWith(otherSettings);

test('the firewall keeps no samples of requests, which would contain credentials', () => {
  const { Rules, VisibilityConfig } = other.only('AWS::WAFv2::WebACL').properties;
  const configurations = [VisibilityConfig, ...Rules.map((rule: Rule) => rule.VisibilityConfig)];
  expect(configurations).toHaveLength(5);
  for (const one of configurations) expect(one).toMatchObject({ SampledRequestsEnabled: false });
});

interface Rule {
  readonly VisibilityConfig: object;
}

test('the firewall has the tags of the stack, because CloudFormation does not add them to a web ACL', () => {
  expect(other.only('AWS::WAFv2::WebACL').properties.Tags).toEqual([{ Key: 'team', Value: 'dogs' }]);
});
