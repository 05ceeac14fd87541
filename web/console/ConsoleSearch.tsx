import { fetchDocumentation } from '../shared/search/read-documentation.ts';
import { SearchPalette } from '../shared/search/SearchPalette.tsx';
import { credentials } from '../shared/session.ts';
import { endByUser } from './connection.ts';
import { dogs } from './dogs/dog-index.ts';
import { go } from './router.ts';
import { dogAddress } from './routes.ts';

const views = [
  ['New dog', '#new'],
  ['Activity', '#activity'],
  ['Requests', '#requests'],
  ['Tokens', '#tokens'],
] as const;

/** The search of the console: the documentation, the dogs and the views. */
export function ConsoleSearch() {
  const actions = views.map(([name, address]) => ({ name, run: () => go(address) }));
  return (
    <SearchPalette
      actions={credentials.value ? [...actions, { name: 'Sign out', run: endByUser }] : []}
      dogs={() => dogs.ids}
      documentation={fetchDocumentation}
      onDog={(id) => go(dogAddress(id))}
    />
  );
}
