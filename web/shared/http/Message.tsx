import { useState } from 'preact/hooks';
import { excerptOf } from './exchange-text.ts';

interface MessageProps {
  readonly firstLine: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** An HTTP message. It shows the beginning of a long body, and a button that shows the rest. */
export function Message({ firstLine, headers, body }: MessageProps) {
  return (
    <>
      <pre class="message-head">
        <strong>{firstLine}</strong>
        {headers.map(([name, value]) => (
          <span key={name}>
            {'\n'}
            <span class="name">{name}:</span> {value}
          </span>
        ))}
      </pre>
      {body && <LongText text={body} />}
    </>
  );
}

function LongText({ text }: { readonly text: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const excerpt = excerptOf(text);
  return (
    <>
      <pre>{isExpanded ? text : excerpt}</pre>
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
