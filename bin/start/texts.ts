import type { ServiceTexts } from '../../local/platform/service-texts.ts';

/** The service-specific texts that the local cloud prints and shows. */
export const texts: ServiceTexts = {
  name: 'dog service',
  inboxPage: async ({ baseUrl, inboxUrl }) => {
    // Bundling would make every start slower. Many users never open the inbox.
    const { inboxPage } = await import('../pages.ts');
    return inboxPage(baseUrl, inboxUrl);
  },
  showQueue: (queueName) => `npx dogs queues get ${queueName}`,
};
