import type { Access } from '../../tools/service.ts';
import { Client, TestDogs } from './client.ts';

/**
 * Returns true if a service can send mail. Makes a new dog send mail to SES's mailbox simulator, which accepts mail even in
 * the sandbox. SES refuses all mail from a sender that it has not verified.
 *
 * @see {@link https://docs.aws.amazon.com/ses/latest/dg/verify-addresses-and-domains.html Verifying addresses and domains}
 * @throws Error if the service responds with anything but 200 or 502
 */
export async function sendsMail(access: Access): Promise<boolean> {
  const client = new Client(access);
  const testDogs = new TestDogs(client);
  try {
    const dog = await testDogs.newDog({
      email: 'success@simulator.amazonses.com',
      barkEffects: ['emailDog'],
    });
    const { status, text } = await client.post(`${dog}barks`);
    if (status !== 200 && status !== 502)
      throw new Error(`A bark that sends mail got the response ${status}: ${text}`);
    return status === 200;
  } finally {
    await testDogs.clear();
  }
}
