import type { ServiceTexts } from '@rest-actions/local-cloud/platform';

export const texts: ServiceTexts = {
  name: 'dog service',
  inboxHint: `Mail appears here when a dog with the effect <code>emailDog</code> or <code>emailOwner</code> barks. For example,
    make the dog <code>message-sync</code> bark.`,
  pages: [
    { path: '', text: 'Console' }, // @extension console
    { path: 'docs', text: 'Docs' }, // @extension docs
  ],
  showQueue: (queueName) => `npx dogs queues get ${queueName}`, // @extension cli
};
