import { eventually } from '@rest-actions/local-cloud/testing';
import { testWith } from '../support/capabilities.ts';
import { documentOf, dogAt, type Problem } from '../support/client.ts';
import { service, simulatedAddress, testDogs } from './support.ts';

describe('an address that SES cannot reach', () => {
  const causes = [
    ['bounce', 'bounced'],
    ['suppressionlist', 'bounced'],
    ['complaint', 'complained'],
  ] as const;

  testWith('bounces and complaints of the mailbox simulator of SES').each(causes)(
    'at the simulator, %s, is suspended until the dog has another one',
    async (kind, reason) => {
      const email = `${kind}+${crypto.randomUUID()}@simulator.amazonses.com`;
      const settings = { barkEffects: ['emailDog', 'record'], barkHandling: 'sync' } as const;
      const dog = await testDogs.newDog({ email, ...settings });
      const before = await service.get(dog);
      expect((await service.post(`${dog}barks`)).status).toBe(201);
      await eventually(
        async () =>
          expect(await dogAt(service, dog)).toMatchObject({
            suspended: [{ address: email, reason, since: expect.any(Number) }],
          }),
        { deadline: 45_000, interval: 20 },
      );
      const fields = { 'If-None-Match': before.headers.get('ETag') ?? '' };
      expect((await service.send('GET', dog, { fields })).status).toBe(200);
      for (const resource of ['barks', 'bark']) {
        const refused = await service.post(`${dog}${resource}`);
        expect([refused.status, documentOf<Problem>(refused).type]).toEqual([
          409,
          expect.stringMatching(/#problem-address-suspended$/),
        ]);
      }
      expect(await dogAt(service, dog)).toMatchObject({ barkCount: 1 });
      await service.put(dog, { email: simulatedAddress(), ...settings });
      expect(await dogAt(service, dog)).not.toHaveProperty('suspended');
      expect((await service.post(`${dog}barks`)).status).toBe(201);
    },
  );
});
