import { ConnectionState } from './ConnectionState.tsx';
import { MailCard } from './MailCard.tsx';
import { root, shownMail } from './mails.ts';

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
