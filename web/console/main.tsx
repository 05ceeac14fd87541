import { render, type VNode } from 'preact';
import { Account } from '../shared/Account.tsx';
import { connectHeader } from '../shared/service.ts';
import { restoreSession } from '../shared/session.ts';
import { App } from './App.tsx';
import { followAddress } from './router.ts';

function mount(view: VNode, selector: string): void {
  const parent = document.querySelector(selector);
  if (!parent) throw new Error(`The page has no element ${selector}.`);
  parent.replaceChildren();
  render(view, parent);
}

connectHeader();
restoreSession();
// If a tab already shows the console, a sign-in link changes only the fragment. A reload then starts the new session.
addEventListener('hashchange', () => location.hash.startsWith('#access_token=') && location.reload());
followAddress();
mount(<Account />, '#account');
mount(<App />, '#content');
