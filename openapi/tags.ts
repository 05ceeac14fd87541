const files = new Intl.ListFormat('en-GB').format([
  'the console', // @extension console
  'the descriptions of the API',
]);

/**
 * The groups of operations, in the order in which tools show them. The names are short, because code generators build class names
 * from them. Redoc, Scalar and others show `x-displayName` in place of the name.
 */
export const tags = [
  {
    name: 'Dogs',
    'x-displayName': 'Dogs',
    description:
      'Create, read, replace and delete dogs. The settings of a dog determine which effects its barks have, and whether they are synchronous or asynchronous.',
  },
  {
    name: 'Variant A',
    'x-displayName': 'Variant A: a collection of barks',
    description:
      "To make a dog bark, a client creates a resource in the dog's `barks` collection. A bark that is recorded or asynchronous has its own URL.",
  },
  {
    name: 'Variant B',
    'x-displayName': 'Variant B: a schedule on the dog',
    description:
      "To make a dog bark, a client uses PATCH to change the dog's `barks` field. This field contains the bark schedule: the time of the next bark and the interval between barks. Each run of a schedule is an occurrence. It has a time, and it makes the dog bark once.",
  },
  {
    name: 'Variant C',
    'x-displayName': 'Variant C: sub-resources for the schedule and the last bark',
    description:
      'To make a dog bark, a client sends a POST request to `bark`. To make the dog bark on a schedule, the client sends a POST request to `bark-schedule`. Both are sub-resources of the dog.',
  },
  {
    name: 'Mail',
    'x-displayName': 'Mail subscriptions',
    description:
      'Stop mail from a dog. Recipients need no credentials, because the URL in each email contains a token.',
  },
  {
    name: 'Tokens',
    'x-displayName': 'Access tokens',
    description:
      'Exchange a refresh token for an access token, and get the public keys that verify access tokens.',
  },
  {
    name: 'About the service',
    'x-displayName': 'About the service',
    description: `${files.charAt(0).toUpperCase()}${files.slice(1)}. They require no credentials.`,
  },
] as const;

export type TagName = (typeof tags)[number]['name'];
