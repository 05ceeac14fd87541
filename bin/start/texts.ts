import type { ServiceTexts } from '@rest-actions/local-cloud/platform';

export const texts: ServiceTexts = {
  name: 'dog service',
  inboxPage: async ({ baseUrl, inboxUrl }) => {
    // Bundling the page would make every start slower, and many users never open the inbox.
    const { inboxPage } = await import('../pages.ts');
    return inboxPage(baseUrl, inboxUrl);
  },
  showQueue: (queueName) => `npx dogs queues get ${queueName}`,
};
