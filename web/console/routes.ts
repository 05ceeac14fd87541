import { decoded } from '../shared/decoded.ts';

export const dogSections = ['bark', 'schedule', 'history', 'settings'] as const;
export type DogSection = (typeof dogSections)[number];

/** The views without parameters. */
const plainViews = ['activity', 'dogs', 'home'] as const;

export type Route =
  | { readonly view: (typeof plainViews)[number] | 'unknown' }
  | { readonly view: 'new'; readonly id: string }
  | {
      readonly view: 'dog';
      readonly id: string;
      readonly section: DogSection;
    };

/** Returns the route for a fragment such as `#dogs/rex/schedule`. */
export function routeOf(fragment: string): Route {
  const [path = '', query] = fragment.replace(/^#/, '').split('?');
  const [view = '', id, section] = path.split('/');
  if (view === 'dogs' && id) {
    const known = section ? dogSections.find((one) => one === section) : 'bark';
    return known ? { view: 'dog', id: decoded(id), section: known } : { view: 'unknown' };
  }
  if (view === 'new') return { view, id: new URLSearchParams(query).get('id') ?? '' };
  return { view: plainViews.find((one) => one === (view || 'home')) ?? 'unknown' };
}

export function dogAddress(id: string, section: DogSection = 'bark'): string {
  return `#dogs/${encodeURIComponent(id)}${section === 'bark' ? '' : `/${section}`}`;
}
