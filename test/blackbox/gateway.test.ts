import { deflateSync, gzipSync } from 'node:zlib';
import { refusedCredentials } from '../cases/refused/credentials.ts';
import { testCases } from '../cases/refused/test-cases.ts';
import { testWith } from '../support/capabilities.ts';
import { basic, documentOf, header, type Problem, sendRaw } from '../support/client.ts';
import { access, service, stateOf, testDogs } from './support.ts';

const { username } = access;

testCases(() => refusedCredentials(access));

test('refuses wrong credentials after a request with correct ones', async () => {
  for (const [Authorization, status] of [
    [service.authorization, 200],
    [basic(username, 'wrong'), 401],
    [service.authorization, 200],
  ] as const)
    expect((await service.get('/v1/dogs/', { Authorization })).status).toBe(status);
});

testWith("the request ID in API Gateway's own responses")(
  'returns with each 401 a unique ID of the request, which the client cannot choose',
  async () => {
    const ask = async () => {
      const chosen = { 'X-Amzn-RequestId': 'c159c6be-ea56-4ee2-b8f1-ee0c8ba40e4d' };
      const response = await service.get('/v1/dogs/', { Authorization: '', ...chosen });
      const { instance } = documentOf<Problem>(response);
      expect(instance).toBe(`#${header(response, 'x-amz-apigw-id')}`);
      return instance;
    };
    expect(await ask()).not.toBe(await ask());
  },
);

describe('A request with a content coding', () => {
  const sent = async (coding: string, method: string, path: string, body: Uint8Array) => {
    const fields = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
    return (await service.send(method, path, { body, fields })).status;
  };

  testWith('the codings of requests').each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('is decoded from %s', async (coding, encode) => {
    const dog = await testDogs.newDog();
    expect(await sent(coding, 'POST', `${dog}barks`, encode('{"message":"wau"}'))).toBe(201);
  });

  testWith('the codings of requests').each(['br', 'gzip', 'gzip, gzip'])(
    'gets 415 and changes nothing if its body does not have the coding %s',
    async (coding) => {
      const dog = await testDogs.newDog();
      const before = await stateOf(dog);
      for (const [method, path] of [
        ['PUT', dog],
        ['PATCH', dog],
        ['POST', `${dog}barks`],
        ['POST', `${dog}bark`],
        ['POST', `${dog}bark-schedule`],
        ['POST', '/oauth2/v4/token'],
      ] as const)
        expect(await sent(coding, method, path, Buffer.from('{}'))).toBe(415);
      expect(await stateOf(dog)).toEqual(before);
    },
  );
});

// The response of API Gateway to these methods is unknown, so the test checks only the status.
test.each(['TRACE', 'BARK', 'action'])('refuses the method %s, which changes nothing', async (method) => {
  const dog = await testDogs.newDog();
  const bark = header(await service.post(`${dog}barks`), 'Location').slice(service.baseUrl.length);
  const before = await stateOf(dog);
  const fields = { Authorization: service.authorization, 'Content-Type': 'application/json' };
  for (const path of [dog, `${dog}barks`, bark, `${dog}bark`, `${dog}bark-schedule`]) {
    const response = await sendRaw(`${service.baseUrl}${path}`, { method, fields, body: '{}' });
    expect([400, 403, 405, 501]).toContain(response.status);
  }
  expect(await stateOf(dog)).toEqual(before);
});
