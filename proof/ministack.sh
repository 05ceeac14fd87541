#!/bin/sh
# Deploys the stack to MiniStack (https://github.com/ministackorg/ministack), an emulator of all the services that it uses, in half a
# minute. Run it in the project's root folder. It needs Python, and installs MiniStack and the AWS CLI with pip. It prints a user, a
# password and the URL that AWS would assign; MiniStack serves the API at http://localhost:4566/restapis/<API ID>/test/_user_request_.
#
# To compare MiniStack with the local cloud, set base_url in access.json to this URL, and run:
#
#     BENCH_PEER_ACCESS=access.json npm run bench --prefix proof -- throughput
#
# MiniStack differs from AWS in these ways, some of which `npm run verify` names:
#
# - Its events lack the domainName and X-Forwarded-Proto, so the service returns relative URLs, and most black-box tests fail.
# - Schedules have no effect, because it does not replace <aws.scheduler.scheduled-time> in the input of a target.
# - It neither compresses nor decompresses, sends no events about mail, and does not rename WWW-Authenticate.
set -eu
pip install ministack==1.5.33 awscli
ministack --detach
export AWS_ENDPOINT_URL=http://localhost:4566 AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
export AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1
npx cdk bootstrap aws://000000000000/eu-west-1
# MiniStack does not know X-Ray's sampling rules, and supports no alarms that use metric math.
npx cdk synth --quiet -c stage=test -c tracing=false
node -e "
  const file = 'cdk.out/DogService-test.template.json';
  const template = JSON.parse(fs.readFileSync(file));
  for (const [id, { Type }] of Object.entries(template.Resources))
    if (Type === 'AWS::CloudWatch::Alarm') delete template.Resources[id];
  fs.writeFileSync(file, JSON.stringify(template));"
npx cdk deploy --app cdk.out --require-approval never --outputs-file .build/outputs.json
# In MiniStack, a secret without a value is an empty string, and SES has no identity for the sender yet.
KEYS=$(node -p "require('./.build/outputs.json')['DogService-test'].SigningKeySecret")
aws secretsmanager put-secret-value --secret-id "$KEYS" --secret-string '[]'
aws ses verify-email-identity --email-address dogs@example.com
(umask 077; npx dogs access create tester --stack DogService-test --reveal --json > access.json)
cat access.json
