import { randomBytes } from 'node:crypto';
import { allOf, type Bark, documentOf, dogAt, header } from '../support/client.ts';
import { service, simulatedAddress, stateOf, testDogs } from './service.ts';

const idOf = (path: string) => path.split('/').at(-2) ?? '';

describe('PUT /v1/dogs/{id} for a dog that does not exist', () => {
  test('creates it and returns 201 with its URL, its validators and its document', async () => {
    const path = testDogs.newPath();
    const settings = {
      email: simulatedAddress(),
      owner: 'https://example.com/people/42#me',
      barkEffects: ['emailDog', 'count'],
      barkHandling: 'sync',
    };
    const response = await service.put(path, settings);
    expect([response.status, header(response, 'Location')]).toEqual([201, `${service.baseUrl}${path}`]);
    expect(documentOf(response)).toEqual({ ...settings, id: idOf(path), barkCount: 0, barking: false });
    const shown = await service.get(path);
    expect([shown.status, shown.text]).toEqual([200, response.text]);
    for (const name of ['ETag', 'Last-Modified'])
      expect([name, header(shown, name)]).toEqual([name, header(response, name)]);
  });

  test('creates a dog that records if the body is an empty object', async () => {
    const path = await testDogs.newDog({});
    expect(await dogAt(service, path)).toEqual({
      id: idOf(path),
      barkCount: 0,
      barkEffects: ['record'],
      barkHandling: 'sync',
      barking: false,
    });
  });

  test('accepts the effects in any order and returns them in one order', async () => {
    const path = await testDogs.newDog({ email: simulatedAddress(), barkEffects: ['record', 'emailDog'] });
    const { barkEffects } = await dogAt(service, path);
    expect(barkEffects).toEqual(['emailDog', 'record']);
  });

  test('accepts an id of 40 letters, digits, underscores and hyphens', async () => {
    const id = `-_Rex-${randomBytes(16).toString('hex').toUpperCase()}_-`;
    const path = `/v1/dogs/${id}/`;
    expect((await service.put(path, {})).status).toBe(201);
    expect((await dogAt(service, path)).id).toBe(id);
    expect((await service.delete(path)).status).toBe(204);
  });

  test('creates a dog whose id is case-sensitive', async () => {
    const path = await testDogs.newDog();
    expect((await service.get(path.replace('test-', 'Test-'))).status).toBe(404);
  });
});

describe('PUT /v1/dogs/{id} for a dog that exists', () => {
  test('replaces its settings, deletes the absent ones and returns 204', async () => {
    const path = await testDogs.newDog({ email: simulatedAddress(), owner: 'mailto:owner@example.com' });
    const response = await service.put(path, { barkEffects: ['count'] });
    expect(response.status).toBe(204);
    expect(await dogAt(service, path)).toEqual({
      id: idOf(path),
      barkCount: 0,
      barkEffects: ['count'],
      barkHandling: 'sync',
      barking: false,
    });
  });

  test('keeps its count and its barks', async () => {
    const path = await testDogs.newDog();
    const bark = documentOf<Bark>(await service.post(`${path}barks`));
    expect((await service.put(path, { barkEffects: ['count'] })).status).toBe(204);
    const { barkCount, barks } = await dogAt(service, path);
    expect([barkCount, barks]).toEqual([1, { previous: [bark.timestamp] }]);
    expect(await allOf(service, `${path}barks`)).toEqual([bark]);
  });

  test('changes nothing with the document that GET returned, even with other values of read-only fields', async () => {
    const path = await testDogs.newDog({
      email: simulatedAddress(),
      owner: 'mailto:owner@example.com',
      barkEffects: ['emailDog', 'emailOwner', 'record'],
    });
    await service.post(`${path}bark`);
    const before = await stateOf(path);
    const shown = await dogAt(service, path);
    for (const readOnly of [
      {},
      { barkCount: 99, barking: true, barks: { previous: [1, 2, 3] } },
      { id: null, barkCount: null, barking: null, barks: null, suspended: null },
    ])
      expect((await service.put(path, { ...shown, ...readOnly })).status).toBe(204);
    expect(await stateOf(path)).toEqual(before);
  });
});

describe('DELETE /v1/dogs/{id}', () => {
  test('deletes the dog and its barks, and returns 204 at first and then 404', async () => {
    const path = await testDogs.newDog();
    const bark = header(await service.post(`${path}barks`), 'Location');
    expect((await service.delete(path)).status).toBe(204);
    for (const gone of [path, `${path}barks`, bark]) expect((await service.get(gone)).status).toBe(404);
    expect((await service.delete(path)).status).toBe(404);
    expect((await service.post(`${path}barks`)).status).toBe(404);
  });

  test('leaves nothing behind for a new dog with the same id', async () => {
    const path = await testDogs.newDog({ email: simulatedAddress() });
    const old = await service.get(path);
    const bark = header(await service.post(`${path}barks`), 'Location');
    await service.delete(path);
    expect((await service.put(path, {})).status).toBe(201);
    const dog = await dogAt(service, path);
    expect([dog.barkCount, dog.barks, dog.email]).toEqual([0, undefined, undefined]);
    expect(await allOf(service, `${path}barks`)).toEqual([]);
    for (const gone of [bark, `${path}bark`]) expect((await service.get(gone)).status).toBe(404);
    expect((await service.put(path, {}, { 'If-Match': header(old, 'ETag') })).status).toBe(412);
  });

  test('ignores a body', async () => {
    const path = await testDogs.newDog();
    const fields = { 'Content-Type': 'text/plain' };
    const response = await service.send('DELETE', path, { body: Buffer.from('good bye'), fields });
    expect(response.status).toBe(204);
  });
});
