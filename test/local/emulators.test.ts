import {
  type CalledEmulators,
  type EmulatorContext,
  mountDynamoDb,
  mountScheduler,
  mountSecretsManager,
  mountSes,
  mountStepFunctions,
} from '../../local/emulators.ts';
import type { Template } from '../../local/template/template.ts';

type Mount = (context: EmulatorContext) => unknown;
const template = {} as Template;
const called = {} as CalledEmulators;

describe('The URL of another implementation', () => {
  test.each<[string, Mount, string[]]>([
    ['AWS_ENDPOINT_URL_DYNAMODB', mountDynamoDb, ['dynamodb']],
    ['AWS_ENDPOINT_URL_SCHEDULER', (context) => mountScheduler(called, context), ['scheduler']],
    [
      'AWS_ENDPOINT_URL_SECRETS_MANAGER',
      (context) => mountSecretsManager(template, context),
      ['secretsmanager'],
    ],
    ['AWS_ENDPOINT_URL_SES', (context) => mountSes(called, context), ['ses', 'sesv2']],
    ['AWS_ENDPOINT_URL_SFN', (context) => mountStepFunctions(called, context), ['states']],
  ])('in %s replaces the emulator, which opens no file', async (variable, mount, services) => {
    process.env[variable] = 'http://127.0.0.1:9';
    const endpoint = { mount: jest.fn() };
    const file = jest.fn();
    const context = { endpoint, directory: { file }, shutdown: { add: file }, texts: {} };
    await mount(context as unknown as EmulatorContext);
    delete process.env[variable];
    expect(endpoint.mount.mock.calls.map(([service]) => service)).toEqual(services);
    expect(file).not.toHaveBeenCalled();
  });
});
