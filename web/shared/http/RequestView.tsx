import { useState } from 'preact/hooks';
import { copy } from '../copy.ts';
import type { Credentials } from '../credentials.ts';
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
  const [result, setResult] = useState('');
  const form = requestForm.value;
  // Nobody can run an HTTP message, so the page copies the curl command instead.
  const language = form === 'http' ? 'curl' : form;
  const sender = request.sender === 'none' ? undefined : credentials.value;
  const snippet = (withSecret: boolean) =>
    snippetOf(request, base, language, sender && snippetCredentials(sender, withSecret));
  const copySnippet = async () => {
    // Screen readers announce a message again only if it changes.
    setResult('');
    setResult(await copy(snippet(true)));
  };
  return (
    <div class="part">
      {form === 'http' ? (
        <HttpRequest request={request} sender={sender} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the code only if it has the focus
        <pre class="program" tabIndex={0}>
          {snippet(false)}
        </pre>
      )}
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
        <Button kind="small" onClick={copySnippet}>
          Copy {languageNames[language]}
        </Button>
        {/* The shown text does not contain the secret. */}
        {sender && <small>with {'accessToken' in sender ? 'access token' : 'password'}</small>}
        <span role="status">{result}</span>
      </div>
    </div>
  );
}

function HttpRequest({ request, sender }: { request: Request; sender: Credentials | undefined }) {
  const { method, path, headers, body = '' } = request;
  const { host, pathname } = new URL(base);
  const scheme = sender && 'accessToken' in sender ? 'Bearer' : 'Basic';
  const credentialFields = request.sender === 'none' ? [] : [['Authorization', `${scheme} ••••••`] as const];
  return (
    <Message
      firstLine={`${method} ${pathname.replace(/\/$/, '')}${path}`}
      headers={[['Host', host], ...credentialFields, ...Object.entries(headers)]}
      body={indented(body)}
    />
  );
}
