import { useState } from 'preact/hooks';
import { counted } from '../shared/counted.ts';
import { timeZoneSentence } from '../shared/time.ts';
import { Alert } from '../shared/ui/Alert.tsx';
import { Button } from '../shared/ui/Button.tsx';
import { TextField } from '../shared/ui/TextField.tsx';
import { MailCard } from './MailCard.tsx';
import {
  clear,
  connection,
  consoleUrl,
  filter,
  limit,
  page,
  root,
  show,
  showMore,
  shownMail,
} from './mails.ts';

export function Inbox() {
  const { total = 0, matching = 0, emails = [] } = page.value ?? {};
  const count = counted(total, 'email');
  return (
    <>
      <div class="title">
        <h1>Inbox</h1>
        <ConnectionState />
        <p role="status">
          {total > 0 && (filter.value ? `${matching.toLocaleString('en')} of ${count}` : count)}
        </p>
        {total > 0 && <DeleteAll count={count} />}
      </div>
      {page.value && total === 0 && (
        <div class="empty">
          <h2>No emails yet</h2>
          <p>
            Mail appears here when a dog with the effect <code>emailDog</code> or <code>emailOwner</code>{' '}
            barks. For example, open the dog <a href={`${consoleUrl}#dogs/message-sync`}>message-sync</a> in
            the console, and make it bark.
          </p>
        </div>
      )}
      {total > 0 && (
        <>
          <TextField
            label="Filter"
            hint={`Newest first. ${timeZoneSentence()}`}
            type="search"
            placeholder="Text in an address, the subject or the body"
            value={filter.value}
            onText={show}
          />
          {matching === 0 && <p class="empty">No emails match the filter.</p>}
          <ol class="mails">
            {emails.map((mail) => (
              <li key={mail.messageId}>
                <MailCard mail={mail} />
              </li>
            ))}
          </ol>
          <div class="row">
            {matching > limit.value && <Button onClick={showMore}>Show older emails</Button>}
            {filter.value && <Button onClick={() => show('')}>Show all emails</Button>}
          </div>
        </>
      )}
    </>
  );
}

export function OneMail() {
  const mail = shownMail.value;
  return (
    <>
      <div class="title">
        <a href={root}>← All emails</a>
        <ConnectionState />
      </div>
      {mail && <MailCard mail={mail} isOnly />}
      {mail === null && (
        <div class="empty" role="status">
          <h1>No such email</h1>
          <p>There is no email at this URL. It may have been deleted.</p>
        </div>
      )}
    </>
  );
}

function ConnectionState() {
  if (connection.value === 'live') return <span class="live">Live</span>;
  return (
    <Alert kind="bad">
      {connection.value === 'lost'
        ? 'The service does not respond. This page tries again every few seconds.'
        : 'This inbox has moved. Open the URL that npm start prints.'}
    </Alert>
  );
}

function DeleteAll({ count }: { readonly count: string }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <details>
      <summary>Delete all …</summary>
      <p>This also deletes the emails that the filter hides, and the file that contains the emails.</p>
      <Button kind="danger" onClick={async () => setFailed(!(await clear()))}>
        Yes, delete {count}
      </Button>
      {hasFailed && <Alert kind="bad">The service did not delete the emails. Try again.</Alert>}
    </details>
  );
}
