import { type Check, type Deployment, documentOf, eventually, expectStatus, Mismatch } from './check.ts';
import { get } from './http-details.ts';

/** @see {@link https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html The mailbox simulator of SES} */
export const mail: readonly Check[] = [
  {
    statement: 'SES accepts the mail of a bark',
    run: async (deployment) => void (await barkByMail(deployment, 'success')),
  },
  ...(['bounced', 'complained'] as const).map((reason) => ({
    statement: `SES reports that an email ${reason === 'bounced' ? 'bounced' : 'caused a complaint'}, and the address is suspended`,
    run: async (deployment: Deployment) => {
      const path = await barkByMail(deployment, reason === 'bounced' ? 'bounce' : 'complaint');
      await eventually(deployment, async () => {
        const { suspended } = documentOf(await get(deployment, path));
        const reasons = Array.isArray(suspended) ? suspended.map((one) => one.reason) : [];
        if (!reasons.includes(reason))
          throw new Mismatch(`The address is not suspended with the reason "${reason}".`);
      });
    },
  })),
];

async function barkByMail({ api, newDog }: Deployment, mailbox: string): Promise<string> {
  const email = `${mailbox}+${crypto.randomUUID()}@simulator.amazonses.com`;
  const path = await newDog({ email, barkEffects: ['emailDog'], barkHandling: 'sync' });
  expectStatus(await api.send('POST', `${path}barks`), 200);
  return path;
}
