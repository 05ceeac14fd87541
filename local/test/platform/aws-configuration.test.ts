import { devNull } from 'node:os';
import { emptyConfigurationFiles, removeAwsConfiguration } from '../../platform/aws-configuration.ts';

test('removeAwsConfiguration removes all AWS variables, returns them, and replaces the configuration files', () => {
  const environment = {
    AWS_PROFILE: 'work',
    aws_region: 'eu-west-1',
    AWS_CONFIG_FILE: '/theirs',
    HOME: '/home',
  };
  expect(removeAwsConfiguration(environment)).toEqual({
    AWS_PROFILE: 'work',
    AWS_REGION: 'eu-west-1',
    AWS_CONFIG_FILE: '/theirs',
  });
  expect(environment).toEqual({
    HOME: '/home',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  });
});

test("the tests do not read the developer's AWS configuration", () => {
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
  expect(Object.fromEntries(variables)).toEqual(emptyConfigurationFiles);
});
