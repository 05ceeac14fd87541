import { type ApiResponse, allOf, type Bark, documentOf, dogAt, header } from '../support/client.ts';
import {
  accepted,
  asyncDog,
  driverName,
  service,
  settled,
  skipTime,
  testDogs,
  windowSeconds,
} from './service.ts';

describe('Prefer: wait', () => {
  const applied = (response: ApiResponse) => header(response, 'Preference-Applied');

  const waits: [resource: string, effect: string, status: number, location: RegExp][] = [
    ['barks', 'record', 201, /\/barks\/a[0-9A-Z]{26}$/],
    ['barks', 'count', 303, /\/v1\/dogs\/[^/]+\/$/],
    ['barks', 'emailDog', 200, /^$/],
    ['bark', 'record', 201, /\/bark$/],
    ['bark', 'emailDog', 201, /\/bark$/],
  ];

  // Over HTTP, a wait for a bark takes as long as the cancellation window, so only one case waits there.
  test.each(driverName === 'over HTTP' ? waits.slice(0, 1) : waits)(
    'returns for a POST to %s of a dog with the effect %s the response %i of a synchronous bark',
    async (resource, effect, status, location) => {
      const dog = await asyncDog(effect);
      const response = await service.post(dog + resource, undefined, { Prefer: 'respond-async, wait=20' });
      expect([response.status, applied(response)]).toEqual([status, 'respond-async, wait=20']);
      expect(header(response, 'Location')).toMatch(location);
      expect(header(response, 'Content-Location')).toBe('');
      const barkCount = effect === 'emailDog' ? 0 : 1;
      expect(await dogAt(service, dog)).toMatchObject({ barking: false, barkCount });
      const [recorded] = await allOf<Bark>(service, `${dog}barks`);
      const url = recorded && `${service.baseUrl}${dog}barks/${recorded.id}`;
      const timestamp: unknown = expect.any(Number);
      const unrecorded = { dog: `${service.baseUrl}${dog}`, timestamp, status: 'complete' };
      expect(documentOf(response)).toEqual(resource === 'bark' ? { timestamp } : (recorded ?? unrecorded));
      if (resource === 'barks' && url) expect(header(response, 'Location')).toBe(url);
      expect(header(response, 'Link')).toBe(resource === 'bark' && url ? `<${url}>; rel="bookmark"` : '');
    },
  );

  test('returns 202, or the pending bark, at the end of the wait', async () => {
    const [dog, bark] = [await asyncDog('record'), await accepted(await asyncDog('record'))];
    const [posted, read] = await Promise.all([
      service.post(`${dog}barks`, undefined, { Prefer: 'wait=1' }),
      service.get(bark, { Prefer: 'wait="1"' }),
    ]);
    expect([posted.status, applied(posted)]).toEqual([202, 'wait=1']);
    expect([read.status, applied(read), documentOf<Bark>(read).status]).toEqual([200, 'wait=1', 'pending']);
    await Promise.all([header(posted, 'Location'), bark].map(settled));
  });

  test('returns 303 for a GET when the bark is complete, and no Preference-Applied after that', async () => {
    const bark = await accepted(await asyncDog('record'));
    await skipTime(windowSeconds - 1);
    const [response, head] = await Promise.all([
      service.get(bark, { Prefer: 'wait=20' }),
      service.head(bark, { Prefer: 'wait=20, respond-async' }),
    ]);
    for (const one of [response, head])
      expect([one.status, applied(one), header(one, 'Location')]).toEqual([
        303,
        'wait=20',
        bark.replace(/barks.*/, ''),
      ]);
    expect(documentOf(response)).toMatchObject({ status: 'complete' });
    const again = await service.get(bark, { Prefer: 'wait=20' });
    expect([again.status, applied(again)]).toEqual([303, '']);
  });

  test.each(['barks', 'bark'])('returns 200 for a POST to %s whose bark is cancelled', async (resource) => {
    const dog = await asyncDog('record');
    const key = { 'Idempotency-Key': `"${crypto.randomUUID()}"` };
    const bark = header(await service.post(dog + resource, undefined, key), 'Location');
    await service.delete(bark);
    // The repeat waits for the bark of the first request, whose window is over.
    await skipTime(windowSeconds);
    const response = await service.post(dog + resource, undefined, { ...key, Prefer: 'wait=20' });
    expect([response.status, applied(response), header(response, 'Content-Location')]).toEqual([
      200,
      'wait=20',
      bark,
    ]);
    expect(documentOf(response)).toMatchObject({
      id: bark.split('/').at(-1),
      status: 'cancelled',
      timestamp: null,
    });
  });

  test('has no effect on a synchronous bark', async () => {
    const response = await service.post(`${await testDogs.newDog()}barks`, undefined, { Prefer: 'wait=20' });
    expect([response.status, applied(response)]).toEqual([201, '']);
  });
});
