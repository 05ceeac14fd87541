import { deflateSync, gzipSync } from 'node:zlib';
import { refusedCredentials } from '../cases/refused/credentials.ts';
import { testCases } from '../cases/refused/test-cases.ts';
import { testWith } from '../support/capabilities.ts';
import { basic, header, sendRaw } from '../support/client.ts';
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
  'returns a unique X-Request-Id with each 401',
  async () => {
    const ask = async () => header(await service.get('/v1/dogs/', { Authorization: '' }), 'X-Request-Id');
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
