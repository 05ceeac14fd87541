import { SendRawEmailCommand } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { type MailFailure, sendMail, ses } from '../../../../lambdas/domain/platform/ses.ts';
import { newContext } from '../../../support/context.ts';
import { useLogs } from '../../../support/logs.ts';

const mocked = mockClient(ses);
const logs = useLogs();
beforeAll(() =>
  Object.assign(process.env, { MAIL_SENDER: 'dogs@example.com', MAIL_CONFIGURATION_SET: 'mail' }),
);
beforeEach(() => mocked.reset());

function send(error: object): Promise<MailFailure | undefined> {
  mocked.on(SendRawEmailCommand).rejects(Object.assign(new Error('SES'), error));
  return sendMail(
    { to: ['rex@example.com'], subject: 'Woof', headers: {}, text: 'Woof!', html: '', tags: {} },
    newContext(),
  );
}

const errorOf = (name: string, message = name, httpStatusCode = 400) => ({
  name,
  message,
  $fault: 'client',
  $metadata: { httpStatusCode },
});

const unverified =
  'Email address is not verified. The following identities failed the check in region US-EAST-1: ';

describe('sendMail returns MailUnavailable and logs it for the alarm if SES refuses all mail from the service:', () => {
  test.each([
    errorOf('AccessDenied', 'User: arn is not authorized to perform: ses:SendRawEmail', 403),
    errorOf('AccountSendingPausedException'),
    errorOf('ConfigurationSetDoesNotExist'),
    errorOf('ConfigurationSetSendingPausedException'),
    errorOf('MailFromDomainNotVerifiedException'),
    errorOf('InvalidClientTokenId', 'The security token included in the request is invalid.', 403),
    errorOf('MessageRejected', `${unverified}dogs@example.com`),
    errorOf('MessageRejected', `${unverified}dogs@example.com, rex@example.com`),
    errorOf(
      'MessageRejected',
      'Sending paused for this account. For more information, please check the inbox of the email address associated with your AWS account.',
    ),
    errorOf('AnErrorOfTheFuture'),
  ])('$name: $message', async (error) => {
    expect(await send(error)).toMatchObject({ name: 'MailUnavailable' });
    const cause = expect.objectContaining({ errorType: error.name });
    expect(logs.error).toEqual([{ event: 'SenderRefused', error: cause }]);
    expect(JSON.stringify(logs.error)).not.toContain('@example.com');
  });
});

test.each([
  errorOf('MessageRejected', 'Address blacklisted.'),
  errorOf('MessageRejected', `${unverified}rex@example.com`),
  errorOf('MessageRejected', `${unverified}more-dogs@example.com`),
  errorOf('InvalidParameterValue', "Missing final '@domain'"),
])('sendMail returns MailRefused for refused addresses or content: $name: $message', async (error) => {
  expect(await send(error)).toMatchObject({ name: 'MailRefused' });
  expect(logs.error).toEqual([]);
});

test.each([
  errorOf('Throttling', 'Maximum sending rate exceeded.'),
  errorOf('Throttling', 'Daily message quota exceeded.'),
])(
  'sendMail returns MailNotSent, but not MailUnavailable, if SES throttles the mail: $message',
  async (error) => {
    expect(await send(error)).toMatchObject({ name: 'MailNotSent' });
    expect(logs.error).toEqual([]);
  },
);

test.each([
  { name: 'ServiceUnavailable', $fault: 'server', $metadata: { httpStatusCode: 503 } },
  { name: 'Error', code: 'ECONNRESET' },
  { name: 'TimeoutError' },
  { name: 'AbortError' },
  { name: 'SyntaxError', message: 'The response is not XML.' },
])('sendMail returns MailUnknown unless the error shows that nothing was sent: $name', async (error) => {
  expect(await send(error)).toMatchObject({ name: 'MailUnknown' });
  expect(logs.error).toEqual([]);
});
