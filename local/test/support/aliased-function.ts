const FunctionName = { Ref: 'Bark' };

/** The resources of a template with the function `Bark`, its only version, and the alias `live` of that version. */
export const aliasedFunction = {
  Bark: { Type: 'AWS::Lambda::Function' },
  BarkVersion: { Type: 'AWS::Lambda::Version', Properties: { FunctionName } },
  BarkLive: {
    Type: 'AWS::Lambda::Alias',
    Properties: {
      FunctionName,
      FunctionVersion: { 'Fn::GetAtt': ['BarkVersion', 'Version'] },
      Name: 'live',
    },
  },
};
