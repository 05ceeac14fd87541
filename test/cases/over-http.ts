import { Client, header, mailsTo } from '../support/client.ts';
import { Contract } from '../support/contract.ts';
import { cancellationWindowSeconds, isStrict, sharedAccess } from '../support/shared-service.ts';
import { passTime, skipTime, timeOf } from '../support/time.ts';
import type { Driver } from './driver.ts';

const access = sharedAccess();

export const driver: Driver = {
  name: 'over HTTP',
  access,
  contract: await Contract.of(access, { isStrict }),
  send: fetch,
  windowSeconds: cancellationWindowSeconds,
  now: async () => {
    if (access.clock_url) return Math.floor((await timeOf(access)) / 1000);
    return Date.parse(header(await new Client(access).head('/v1/dogs/?limit=1'), 'Date')) / 1000;
  },
  passTime: (seconds) => passTime(access, seconds),
  skipTime: (seconds) => skipTime(access, seconds),
  ...(access.mail_url && { mailsTo: (address) => mailsTo(access.mail_url ?? '', address) }),
};
