import { decoded } from './decoded.ts';

export const dogSections = ['bark', 'schedule', 'history', 'settings'] as const;
export type DogSection = (typeof dogSections)[number];

/** The views without parameters. */
const plainViews = ['activity', 'dogs', 'home'] as const;

export type Route =
  | { readonly view: (typeof plainViews)[number] }
  | { readonly view: 'new'; readonly id: string }
  | {
      readonly view: 'dog';
      readonly id: string;
      readonly section: DogSection;
    };

/** Returns the route for a fragment such as `#dogs/rex/schedule`. An unknown view is the home page. */
export function routeOf(fragment: string): Route {
  const [path = '', query] = fragment.replace(/^#/, '').split('?');
  const [view = '', id, section] = path.split('/');
  if (view === 'dogs' && id) {
    return { view: 'dog', id: decoded(id), section: dogSections.find((one) => one === section) ?? 'bark' };
  }
  if (view === 'new') return { view, id: new URLSearchParams(query).get('id') ?? '' };
  return { view: plainViews.find((one) => one === view) ?? 'home' };
}

export function dogAddress(id: string, section: DogSection = 'bark'): string {
  return `#dogs/${encodeURIComponent(id)}${section === 'bark' ? '' : `/${section}`}`;
}
