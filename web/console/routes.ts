import { decoded } from '../shared/decoded.ts';
/** The sections of the view of a dog. */
export const dogSections = ['bark', 'schedule', 'history', 'settings'] as const;
export type DogSection = (typeof dogSections)[number];

/** The view that an address shows. */
export type Route =
  | { readonly view: 'activity' | 'home' | 'requests' | 'tokens' }
  | { readonly view: 'new'; readonly id: string }
  | {
      readonly view: 'dog';
      readonly id: string;
      readonly section: DogSection;
    };

/** Returns the route of a fragment, such as `#dogs/rex/schedule`. Unknown fragments lead to the home page. */
export function routeOf(fragment: string): Route {
  const [path = '', query] = fragment.replace(/^#/, '').split('?');
  const [view = '', id, section] = path.split('/');
  if (view === 'dogs' && id)
    return {
      view: 'dog',
      id: decoded(id),
      section: dogSections.find((one) => one === section) ?? 'bark',
    };
  if (view === 'new') return { view, id: new URLSearchParams(query).get('id') ?? '' };
  if (view === 'activity' || view === 'requests' || view === 'tokens') return { view };
  return { view: 'home' };
}

/** Returns the fragment of a dog's view. */
export function dogAddress(id: string, section: DogSection = 'bark'): string {
  return `#dogs/${encodeURIComponent(id)}${section === 'bark' ? '' : `/${section}`}`;
}
