import { type AwsStub, mockClient as mock } from 'aws-sdk-client-mock';

const mocks: Pick<AwsStub<never, never, never>, 'restore'>[] = [];

/** Mocks the SDK clients of a class until the end of the test file. */
export const mockClient: typeof mock = (client) => {
  const stub = mock(client);
  mocks.push(stub);
  return stub;
};

afterAll(() => {
  for (const stub of mocks) stub.restore();
});
