/** The routes that make a dog bark. */
export const routes = {
  'POST barks': { sample: 'PostBarks', inHistory: false },
  'POST bark': { sample: 'PostLastBark', inHistory: true },
} as const;
export type Route = keyof typeof routes;
