/** The dogs that the first start creates. They bark with different effects, synchronously and asynchronously. */
export const firstDogs = {
  'message-sync': { email: 'message-sync@example.com', barkEffects: ['emailDog'], barkHandling: 'sync' },
  'message-async': { email: 'message-async@example.com', barkEffects: ['emailDog'], barkHandling: 'async' },
  'count-sync': { barkEffects: ['count'], barkHandling: 'sync' },
  'count-async': { barkEffects: ['count'], barkHandling: 'async' },
  'record-sync': { barkEffects: ['record'], barkHandling: 'sync' },
  'record-async': { barkEffects: ['record'], barkHandling: 'async' },
  'notify-owner': { owner: 'mailto:owner@example.com', barkEffects: ['emailOwner'], barkHandling: 'async' },
};
