import type { Mail } from '@rest-actions/local-cloud/mail';
import { dateAndTime } from '../shared/time.ts';
import { listUrl, root } from './mails.ts';

interface MailCardProps {
  readonly mail: Mail;
  /** True if the page shows only this email. */
  readonly isOnly?: boolean;
}

export function MailCard({ mail, isOnly = false }: MailCardProps) {
  const { messageId, from, destination, subject, body, at, unsubscribe } = mail;
  const [, unsubscribeUrl] = /<(https?:[^<>]*)>/.exec(unsubscribe ?? '') ?? [];
  const title = subject || '(no subject)';
  return (
    <article class="card mail" aria-labelledby={messageId}>
      <header>
        {isOnly ? (
          <h1 id={messageId}>{title}</h1>
        ) : (
          <h2 id={messageId}>
            <a href={`${root}mails/${messageId}`}>{title}</a>
          </h2>
        )}
        <time dateTime={new Date(at * 1000).toISOString()}>{dateAndTime(at)}</time>
      </header>
      <dl>
        <Addresses name="From" addresses={[from]} />
        <Addresses name="To" addresses={destination.to} />
      </dl>
      {isOnly && body.html && (
        <iframe
          title={title}
          src={`${root}html/${messageId}`}
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          onLoad={({ currentTarget: frame }) => {
            frame.height = `${frame.contentDocument?.documentElement.scrollHeight}`;
          }}
        />
      )}
      <pre>{body.text || body.html}</pre>
      {unsubscribeUrl && (
        <p>
          <a href={unsubscribeUrl} target="_blank" rel="noopener noreferrer">
            Unsubscribe
          </a>
        </p>
      )}
    </article>
  );
}

/** Links each address to the emails from or to it. */
function Addresses({ name, addresses }: { readonly name: string; readonly addresses: readonly string[] }) {
  return (
    <div>
      <dt>{name}</dt>
      {addresses.map((address) => (
        <dd key={address}>
          <a href={listUrl(address)}>{address}</a>
        </dd>
      ))}
    </div>
  );
}
