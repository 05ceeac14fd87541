type Header = readonly [name: string, value: string];

interface MessageProps {
  readonly firstLine: string;
  readonly headers: readonly Header[];
  readonly body: string;
}

/** The headers that belong to the connection or to AWS. */
const infrastructure = /^(x-amzn?-|(connection|keep-alive|transfer-encoding|via|x-cache|alt-svc)$)/i;

/** Shows the body before the headers. */
export function Message({ firstLine, headers, body }: MessageProps) {
  const folded = headers.filter(([name]) => infrastructure.test(name));
  return (
    <div class="message">
      <pre>
        <strong>{firstLine}</strong>
      </pre>
      {body && <pre>{body}</pre>}
      <Headers headers={headers.filter((header) => !folded.includes(header))} />
      {folded.length > 0 && (
        <details class="folded">
          <summary>Headers of the infrastructure ({folded.length})</summary>
          <Headers headers={folded} />
        </details>
      )}
    </div>
  );
}

function Headers({ headers }: Pick<MessageProps, 'headers'>) {
  return (
    <pre>
      {headers.map(([name, value]) => (
        <span key={name} class="header">
          <span class="name">{name}:</span> {value}
        </span>
      ))}
    </pre>
  );
}
