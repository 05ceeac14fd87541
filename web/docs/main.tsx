import { effect } from '@preact/signals';
import { render } from 'preact';
import { Account } from '../shared/Account.tsx';
import { base, connectHeader } from '../shared/service.ts';
import { credentials, restoreSession } from '../shared/session.ts';
import { connectContents, openTarget } from './contents.ts';
import { addCopyButtons } from './copy.ts';
import { connectLanguages } from './languages.ts';
import type { OperationForm } from './operation-request.ts';
import { withOwnValues } from './own-values.ts';
import { Search } from './Search.tsx';
import { TryIt } from './TryIt.tsx';

function start(): void {
  connectHeader();
  connectLanguages();
  addCopyButtons();
  connectContents();
  openTarget();
  restoreSession();
  useOwnValues();
  const [account, search] = ['account', 'search'].map((id) => document.getElementById(id));
  if (account) render(<Account />, account);
  if (search) render(<Search />, search);
  for (const place of document.querySelectorAll<HTMLElement>('.try-it')) {
    const form: OperationForm = JSON.parse(place.dataset.form ?? '');
    render(<TryIt name={place.dataset.operation ?? ''} form={form} />, place);
  }
}

/** Shows this service's URL and the signed-in user's name in the examples, so that the reader can run them. */
function useOwnValues(): void {
  const examples = [...document.querySelectorAll('main pre code')].flatMap((code) => {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    const texts: { node: Node; text: string }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      texts.push({ node, text: node.nodeValue ?? '' });
    return texts;
  });
  effect(() => {
    const user = credentials.value?.user;
    for (const { node, text } of examples) node.nodeValue = withOwnValues(text, base, user);
  });
}

start();
