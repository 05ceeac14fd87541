export interface Tag {
  readonly name: string;
  /** Redoc, Scalar and others show this heading in place of the name. */
  readonly 'x-displayName': string;
  readonly description: string;
}

/**
 * The groups of operations, in the order in which tools show them. The keys are short, because code generators build class names
 * from them.
 */
const groups = {
  Dogs: {
    title: 'Dogs',
    description:
      'Create, read, replace and delete dogs. The settings of a dog determine which effects its barks have, and whether they are synchronous or asynchronous.',
  },
  'Variant A': {
    title: 'Variant A: a collection of barks',
    description:
      "To make a dog bark, a client creates a resource in the dog's `barks` collection. A bark that is recorded or asynchronous has its own URL.",
  },
  'Variant B': {
    title: 'Variant B: a schedule on the dog',
    description:
      "To make a dog bark, a client uses PATCH to change the dog's `barks` field. This field contains the bark schedule: the time of the next bark and the interval between barks. Each run of a schedule is an occurrence. It has a time, and it makes the dog bark once.",
  },
  'Variant C': {
    title: 'Variant C: sub-resources for the schedule and the last bark',
    description:
      'To make a dog bark, a client sends a POST request to `bark`. To make the dog bark on a schedule, the client sends a POST request to `bark-schedule`. Both are sub-resources of the dog.',
  },
  Mail: {
    title: 'Mail subscriptions',
    description:
      'Stop mail from a dog. Recipients need no credentials, because the URL in each email contains a token.',
  },
  Tokens: {
    title: 'Access tokens',
    description:
      'Exchange a refresh token for an access token, and get the public keys that verify access tokens.',
  },
  'About the service': {
    title: 'About the service',
    description: 'The console and the descriptions of the API. They require no credentials.',
  },
} as const;

export type TagName = keyof typeof groups;

export function tags(): Tag[] {
  return Object.entries(groups).map(([name, { title, description }]) => ({
    name,
    'x-displayName': title,
    description,
  }));
}
