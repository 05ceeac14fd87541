import type { ServiceTexts } from '../../local/platform/service-texts.ts';

/** The service-specific texts that the local cloud prints and shows. */
export const texts: ServiceTexts = {
  name: 'dog service',
  emptyInbox: 'No mail yet. Mail appears here when a dog with the effect emailDog or emailOwner barks.',
  showQueue: (queueName) => `npx dogs queues get ${queueName}`,
};
