import { useState } from 'preact/hooks';
import { Code } from './Code.tsx';
import { excerptOf } from './exchange-text.ts';

type Header = readonly [name: string, value: string];

interface MessageProps {
  readonly firstLine: string;
  readonly headers: readonly Header[];
  readonly body: string;
}

/** The headers that belong to the connection or to AWS. */
const infrastructure = /^(x-amzn?-|(connection|keep-alive|transfer-encoding|via|x-cache|alt-svc)$)/i;

/** Shows the body before the headers, and only the beginning of a long body until the user asks for the rest. */
export function Message({ firstLine, headers, body }: MessageProps) {
  const folded = headers.filter(([name]) => infrastructure.test(name));
  return (
    <>
      <pre>
        <strong>
          <Code text={firstLine} />
        </strong>
      </pre>
      {body && <LongText text={body} />}
      <Headers headers={headers.filter((header) => !folded.includes(header))} />
      {folded.length > 0 && (
        <details class="folded">
          <summary>Headers of the infrastructure ({folded.length})</summary>
          <Headers headers={folded} />
        </details>
      )}
    </>
  );
}

function Headers({ headers }: Pick<MessageProps, 'headers'>) {
  return (
    <pre class="headers">
      {headers.map(([name, value]) => (
        <span key={name} class="header">
          <span class="name">{name}:</span> <Code text={value} />
        </span>
      ))}
    </pre>
  );
}

function LongText({ text }: { readonly text: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const excerpt = excerptOf(text);
  return (
    <>
      <pre>{isExpanded ? text : <Code text={excerpt} />}</pre>
      {excerpt !== text && (
        <button
          type="button"
          class="small"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show the beginning' : `Show all ${text.split('\n').length} lines`}
        </button>
      )}
    </>
  );
}
