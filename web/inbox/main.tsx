import { render } from 'preact';
import { Inbox } from './Inbox.tsx';
import { shownId, start } from './mails.ts';
import { OneMail } from './OneMail.tsx';

const main = document.querySelector('main');
if (main) render(shownId === undefined ? <Inbox /> : <OneMail />, main);
start();
