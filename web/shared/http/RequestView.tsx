import { useRef, useState } from 'preact/hooks';
import { authorizationOf, type Credentials } from '../credentials.ts';
import { base } from '../service.ts';
import { credentials } from '../session.ts';
import { Button } from '../ui/Button.tsx';
import { indented } from './exchange-text.ts';
import { chooseRequestForm, type RequestForm, requestForm, requestForms } from './language.ts';
import { Message } from './Message.tsx';
import type { Request } from './requests.ts';
import { languageNames, snippetCredentials, snippetOf } from './snippets/snippet.ts';

const formNames: Readonly<Record<RequestForm, string>> = { http: 'HTTP', ...languageNames };

export function RequestView({ request }: { readonly request: Request }) {
  const [isSecretShown, showSecret] = useState(false);
  const [result, setResult] = useState('');
  const shown = useRef<HTMLDivElement>(null);
  const form = requestForm.value;
  // Nobody can run an HTTP message, so the page copies the curl command instead.
  const language = form === 'http' ? 'curl' : form;
  const sender = request.sender === 'none' ? undefined : credentials.value;
  const snippet = (withSecret: boolean) =>
    snippetOf(request, base, language, sender && snippetCredentials(sender, withSecret));
  const copy = async () => {
    // Screen readers announce a message again only if it changes.
    setResult('');
    try {
      await navigator.clipboard.writeText(snippet(true));
      setResult('Copied');
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setResult('The browser blocked copying. The text is selected: copy it with the keyboard.');
    }
  };
  return (
    <div class="part">
      <div ref={shown}>
        {form === 'http' ? (
          <HttpRequest request={request} sender={sender} isSecretShown={isSecretShown} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the code only if it has the focus
          <pre class="program" tabIndex={0}>
            {snippet(isSecretShown)}
          </pre>
        )}
      </div>
      <div class="row">
        <select
          aria-label="Show the request as"
          value={form}
          onChange={({ currentTarget: { value } }) => chooseRequestForm(value as RequestForm)}
        >
          {requestForms.map((one) => (
            <option key={one} value={one}>
              {formNames[one]}
            </option>
          ))}
        </select>
        <Button kind="small" onClick={copy}>
          Copy {languageNames[language]}
        </Button>
        {/* The copied text contains the secret even if the shown text does not. */}
        {sender && <small>with {'accessToken' in sender ? 'access token' : 'password'}</small>}
        <span role="status">{result}</span>
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

interface HttpRequestProps {
  readonly request: Request;
  readonly sender: Credentials | undefined;
  readonly isSecretShown: boolean;
}

function HttpRequest({ request, sender, isSecretShown }: HttpRequestProps) {
  const { method, path, headers, body = '' } = request;
  const { host, pathname } = new URL(base);
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
