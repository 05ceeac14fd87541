import { render } from 'preact';
import { Inbox, OneMail } from './Inbox.tsx';
import { shownId, start } from './mails.ts';

const main = document.querySelector('main');
if (main) render(shownId === undefined ? <Inbox /> : <OneMail />, main);
start();
