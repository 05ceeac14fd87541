import type { ServiceTexts } from '../../local/platform/service-texts.ts';

/** The service-specific texts that the local cloud prints and shows. */
export const texts: ServiceTexts = {
  name: 'dog service',
  emptyInbox: 'No mail yet. Make a dog with the bark effect emailDog or emailOwner bark.',
  showQueue: (queueName) => `npx dogs queues get ${queueName}`,
};
