import { render, type VNode } from 'preact';
import { connectHeader } from '../shared/service.ts';
import { Account } from './Account.tsx';
import { App } from './App.tsx';
import { connect } from './connection.ts';
import { followAddress } from './router.ts';

function mount(view: VNode, selector: string): void {
  const parent = document.querySelector(selector);
  if (!parent) throw new Error(`The page has no element ${selector}.`);
  parent.replaceChildren();
  render(view, parent);
}

connectHeader();
connect();
followAddress();
mount(<Account />, '#account');
mount(<App />, '#content');
