import { render } from 'preact';
import { base, connectHeader } from '../shared/service.ts';
import { initialCredentials, listen, signOut, use } from '../shared/session.ts';
import { Account } from './Account.tsx';
import { connectContents, openTarget } from './contents.ts';
import { addCopyButtons } from './copy.ts';
import { DocsSearch } from './DocsSearch.tsx';
import { connectLanguages } from './languages.ts';
import type { OperationForm } from './operation-request.ts';
import { TryIt } from './TryIt.tsx';

/** The URL of the service in the examples of the page. */
const exampleUrl = 'https://dogs.example.com';

function start(): void {
  connectHeader();
  connectLanguages();
  useOwnUrl();
  addCopyButtons();
  connectContents();
  openTarget();
  const credentials = initialCredentials();
  if (credentials) use(credentials);
  listen({ refused: signOut, exchanged: () => {} });
  const [account, search] = ['account', 'search'].map((id) => document.getElementById(id));
  if (account) render(<Account />, account);
  if (search) render(<DocsSearch />, search);
  for (const place of document.querySelectorAll<HTMLElement>('.try-it')) {
    const form: OperationForm = JSON.parse(place.dataset.form ?? '');
    render(<TryIt name={place.dataset.operation ?? ''} form={form} />, place);
  }
}

/** Replaces the URL in the examples of requests by the URL of this service, so that a reader can run them. */
function useOwnUrl(): void {
  for (const code of document.querySelectorAll('.snippet code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      text.nodeValue = text.nodeValue?.replaceAll(exampleUrl, base) ?? null;
  }
}

start();
