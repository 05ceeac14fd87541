import { ClearButton } from './ClearButton.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { EmptyInbox } from './EmptyInbox.tsx';
import { Filter } from './Filter.tsx';
import { MailCard } from './MailCard.tsx';
import { arrived, page, view } from './mails.ts';
import { Pager } from './Pager.tsx';
import { summaryOf } from './view.ts';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

export function Inbox() {
  const shown = page.value;
  return (
    <>
      <div class="title">
        <h1>Inbox</h1>
        <ConnectionState />
        <p role="status">{shown && shown.total > 0 && summaryOf(shown, view.value)}</p>
        {shown && shown.total > 0 && <ClearButton total={shown.total} />}
      </div>
      {shown?.total === 0 && <EmptyInbox />}
      {shown && shown.total > 0 && (
        <>
          <Filter />
          {shown.matching === 0 && <p class="empty">No emails match the filter.</p>}
          {shown.matching > 0 && (
            <>
              <p class="hint">Newest first. Times are in the time zone {timeZone}.</p>
              <ol class="mails">
                {shown.emails.map((mail) => (
                  <li key={mail.messageId}>
                    <MailCard mail={mail} isNew={arrived.value.has(mail.messageId)} />
                  </li>
                ))}
              </ol>
            </>
          )}
          <Pager />
        </>
      )}
    </>
  );
}
