import { useRef } from 'preact/hooks';
import { fetchDocumentation } from '../shared/search/read-documentation.ts';
import { SearchPalette } from '../shared/search/SearchPalette.tsx';
import { credentials } from '../shared/session.ts';
import { endByUser } from './connection.ts';
import { dogs } from './dogs/dog-index.ts';
import { go } from './router.ts';
import { dogAddress } from './routes.ts';
import { Shortcuts } from './Shortcuts.tsx';

const views = [
  ['Home', '#'],
  ['Dogs', '#dogs'],
  ['New dog', '#new'],
  ['Activity', '#activity'],
  ['Requests', '#requests'],
  ['Tokens', '#tokens'],
] as const;

export function ConsoleSearch() {
  const showShortcuts = useRef(() => {});
  const actions = [
    ...views.map(([name, address]) => ({ name, run: () => go(address) })),
    { name: 'Shortcuts', run: () => showShortcuts.current() },
    { name: 'Sign out', run: endByUser },
  ];
  return (
    <>
      <SearchPalette
        actions={credentials.value ? actions : []}
        dogs={() => dogs.ids}
        documentation={fetchDocumentation}
        onDog={(id) => go(dogAddress(id))}
      />
      <Shortcuts open={showShortcuts} />
    </>
  );
}
