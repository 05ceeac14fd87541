import { useRef, useState } from 'preact/hooks';
import { authorizationOf, type Credentials } from '../credentials.ts';
import { base } from '../service.ts';
import { credentials } from '../session.ts';
import { Button } from '../ui/Button.tsx';
import { Segments } from '../ui/Segments.tsx';
import { indented } from './exchange-text.ts';
import { chooseRequestForm, type RequestForm, requestForm, requestForms } from './language.ts';
import { Message } from './Message.tsx';
import type { Request } from './requests.ts';
import { languageNames, snippetCredentials, snippetOf } from './snippets/snippet.ts';

interface RequestViewProps {
  readonly request: Request;
  readonly replay?: (() => void) | undefined;
  readonly isSending: boolean;
}

const formNames: Readonly<Record<RequestForm, string>> = { http: 'HTTP', ...languageNames };

export function RequestView({ request, replay, isSending }: RequestViewProps) {
  const [isSecretShown, showSecret] = useState(false);
  const form = requestForm.value;
  const sender = senderOf(request);
  const code = useRef<HTMLDivElement>(null);
  // Nobody can run an HTTP message, so the page copies the curl command instead.
  const language = form === 'http' ? 'curl' : form;
  return (
    <div class="part">
      <Segments
        legend="Show the request as"
        values={requestForms}
        labels={formNames}
        chosen={form}
        onChange={chooseRequestForm}
      />
      <div class="message" ref={code}>
        {form === 'http' ? (
          <HttpRequest request={request} isSecretShown={isSecretShown} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the code only if it has the focus
          <pre class="code" tabIndex={0}>
            {snippetOf(request, base, form, sender && snippetCredentials(sender, isSecretShown))}
          </pre>
        )}
      </div>
      <div class="row">
        {replay && (
          <Button kind="small" isBusy={isSending} onClick={replay}>
            Send again
          </Button>
        )}
        <CopyButton
          label={`Copy ${languageNames[language]}`}
          text={() => snippetOf(request, base, language, sender && snippetCredentials(sender, true))}
          hint={sender && `with your ${'accessToken' in sender ? 'access token' : 'password'}`}
          fallback={code}
        />
        {sender && (
          <label class="check">
            <input
              type="checkbox"
              checked={isSecretShown}
              onChange={(event) => showSecret(event.currentTarget.checked)}
            />
            Show credentials
          </label>
        )}
      </div>
    </div>
  );
}

function senderOf({ sender = credentials.value }: Request): Credentials | undefined {
  return sender === 'none' ? undefined : sender;
}

function HttpRequest({ request, isSecretShown }: { request: Request; isSecretShown: boolean }) {
  const { method, path, headers, body = '' } = request;
  const { host, pathname } = new URL(base);
  const sender = senderOf(request);
  const scheme = sender && 'accessToken' in sender ? 'Bearer' : 'Basic';
  const authorization = sender && isSecretShown ? authorizationOf(sender) : `${scheme} ••••••`;
  const credentialFields = request.sender === 'none' ? [] : [['Authorization', authorization] as const];
  return (
    <Message
      firstLine={`${method} ${pathname.replace(/\/$/, '')}${path}`}
      headers={[['Host', host], ...credentialFields, ...Object.entries(headers)]}
      body={indented(body)}
    />
  );
}

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  /** Which secret the copied text contains, even if the shown text does not. */
  readonly hint: string | undefined;
  /** The element that the button selects if the browser denies access to the clipboard. */
  readonly fallback: { readonly current: HTMLElement | null };
}

function CopyButton({ label, text, hint, fallback }: CopyButtonProps) {
  const [result, setResult] = useState('');
  const copy = async () => {
    // Screen readers announce a message again only if it changes.
    setResult('');
    try {
      await navigator.clipboard.writeText(text());
      setResult('Copied');
    } catch {
      if (fallback.current) getSelection()?.selectAllChildren(fallback.current);
      setResult('The browser blocked copying. The text is selected: copy it with the keyboard.');
    }
  };
  return (
    <>
      <Button kind="small" onClick={copy}>
        {label}
      </Button>
      {hint && <small>{hint}</small>}
      <span role="status">{result}</span>
    </>
  );
}
