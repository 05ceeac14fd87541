import { render } from 'preact';
import { connectHeader } from '../shared/service.ts';
import { Account } from './Account.tsx';
import { App } from './App.tsx';
import { connect } from './connection.ts';
import { followAddress } from './router.ts';

const [account, content] = ['#account', '#content'].map((selector) => document.querySelector(selector));
if (!account || !content) throw new Error('The page is incomplete.');

connectHeader();
followAddress();
void connect();
render(<Account />, account);
render(<App />, content);
