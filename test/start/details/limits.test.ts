import { header } from '../../support/client.ts';
import { deniedPermissions } from '../../support/permissions.ts';
import { client, useService } from '../support.ts';

/** The service's clock shows noon, so that no window ends during the test. */
const clockOffsetMs = 43_200_000 - (Date.now() % 86_400_000);

const settings = ['mailsPerDog=2', 'barksPerUser=8', 'limitWindowMinutes=1440', 'corsOrigin=*'];
const directory = useService({ settings, clockOffsetMs });

/** Sends a POST once, even if the response is 429. */
const post = (path: string, body?: object) => client.sendOnce('POST', path, { body });

describe('a service with limits', () => {
  test('refuses the mail above the limit of a dog, with the time of the next attempt', async () => {
    await client.put('/v1/dogs/mailing/', { email: 'dog@example.com', barkEffects: ['emailDog', 'record'] });
    expect((await post('/v1/dogs/mailing/barks')).status).toBe(201);
    expect((await post('/v1/dogs/mailing/bark')).status).toBe(201);
    const refused = await post('/v1/dogs/mailing/barks');
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      429,
      expect.objectContaining({ type: expect.stringMatching(/#problem-mail-limit-reached$/) }),
    ]);
    const seconds = Number(header(refused, 'Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(header(refused, 'RateLimit-Policy')).toBe('"mailsPerDog";q=2;w=86400');
    expect(header(refused, 'RateLimit')).toBe(`"mailsPerDog";r=0;t=${seconds}`);
    expect(header(refused, 'Access-Control-Expose-Headers')).toBe('*');
  });

  test('refuses a schedule that begins now, but not one that begins later', async () => {
    const path = '/v1/dogs/mailing/bark-schedule';
    expect((await post(path, { token: 1, next: 0 })).status).toBe(429);
    const next = Math.floor((Date.now() + clockOffsetMs) / 1000) + 3_600;
    expect((await post(path, { token: 1, next })).status).toBe(205);
  });

  test('refuses the barks above the limit of a user', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) statuses.push((await post('/v1/dogs/record-sync/barks')).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 429, 429]);
  });

  test('denies no function a permission that it needs', () => {
    expect(deniedPermissions(directory)).toEqual([]);
  });
});
