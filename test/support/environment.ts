/** The environment of the functions that make dogs bark, without the names of the tables. */
export const barkEnvironment = {
  MAIL_SENDER: 'dogs@example.com',
  MAIL_CONFIGURATION_SET: 'mail',
  BASE_URL: 'http://dogs.example',
  BARK_WORKFLOW_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:barks',
  CANCELLATION_WINDOW_SECONDS: '5',
  SCHEDULE_GROUP: 'dogs-test',
  SCHEDULE_TARGET_ARN: 'arn:aws:lambda:us-east-1:000000000000:function:target',
  SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/scheduler',
  SCHEDULE_DLQ_ARN: 'arn:aws:sqs:us-east-1:000000000000:schedule-dlq',
};
