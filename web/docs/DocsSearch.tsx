import type { DogList } from '../../client/index.ts';
import { documentOf, succeeded } from '../shared/http/exchange.ts';
import { listDogs } from '../shared/http/requests.ts';
import { base } from '../shared/service.ts';
import { credentials, send } from '../shared/session.ts';
import { documentationIn } from './search/read-documentation.ts';
import { SearchPalette } from './search/SearchPalette.tsx';

export function DocsSearch() {
  return (
    <SearchPalette
      actions={[{ name: 'Console', run: () => location.assign(`${base}/`) }]}
      dogs={credentials.value ? dogIds : () => []}
      documentation={async () => documentationIn(document)}
      onDog={(id) => location.assign(`${base}/#dogs/${encodeURIComponent(id)}`)}
    />
  );
}

async function dogIds(): Promise<readonly string[]> {
  const exchange = await send(listDogs());
  return succeeded(exchange) ? documentOf<DogList>(exchange).dogs.map(({ id }) => id) : [];
}
