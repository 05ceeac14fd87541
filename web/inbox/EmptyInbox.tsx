import { consoleUrl } from './mails.ts';

export function EmptyInbox() {
  return (
    <div class="empty">
      <h2>No emails yet</h2>
      <p>
        Mail appears here when a dog with the effect <code>emailDog</code> or <code>emailOwner</code> barks.
        For example, open the dog <a href={`${consoleUrl}#dogs/message-sync`}>message-sync</a> in the console,
        and make it bark.
      </p>
    </div>
  );
}
