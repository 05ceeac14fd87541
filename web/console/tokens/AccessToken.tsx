import { useState } from 'preact/hooks';
import { authorizationOf } from '../../shared/credentials.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { type Exchange, headerOf, problemOf, succeeded } from '../../shared/http/exchange.ts';
import { listDogs } from '../../shared/http/requests.ts';
import { sendRequest } from '../../shared/http/send-request.ts';
import { feed, inbox, use } from '../../shared/session.ts';
import { dateAndTime, duration } from '../../shared/time.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { useNow } from '../../shared/ui/Time.tsx';
import { useAction } from '../actions.ts';
import { type DecodedToken, timeClaim, withDamagedSignature } from './access-token.ts';
import { Claims } from './Claims.tsx';

interface AccessTokenProps {
  readonly text: string;
  readonly decoded: DecodedToken;
}

export function AccessToken({ text, decoded }: AccessTokenProps) {
  const [isUsed, setUsed] = useState(false);
  const action = useAction();
  const expires = timeClaim(decoded, 'exp') ?? 0;
  const user = String(decoded.claims.sub);
  const sendWith = (accessToken: string) => {
    const sender = { user, accessToken };
    return action.run({ ...listDogs(), sender }, (one) => sendRequest(one, authorizationOf(sender)));
  };
  const useNowOn = () => {
    const [inboxPath, feedPath] = [inbox(), feed()];
    use({
      user,
      accessToken: text,
      ...(inboxPath && { inbox: inboxPath }),
      ...(feedPath && { feed: feedPath }),
    });
    setUsed(true);
  };
  const { exchange, isSending } = action;
  return (
    <Card
      title="The access token"
      beside={
        <ExchangePanel
          request={{ ...listDogs(), sender: { user, accessToken: text } }}
          exchange={exchange}
          isSending={isSending}
        />
      }
    >
      <Expiry at={expires} />
      <Claims token={decoded} />
      <div class="row">
        <Button kind="main" isBusy={isSending} onClick={() => sendWith(text)}>
          Try it
        </Button>
        <Button isBusy={isSending} onClick={() => sendWith(withDamagedSignature(text))}>
          Try it with a damaged signature
        </Button>
        <Button onClick={useNowOn}>Use it in this session</Button>
      </div>
      {exchange && <TrialResult exchange={exchange} />}
      {isUsed && (
        <Alert kind="good">
          This session now uses this access token. The session ends when the token expires.
        </Alert>
      )}
    </Card>
  );
}

/** Screen readers announce the expiry, but not the countdown. */
function Expiry({ at }: { readonly at: number }) {
  const left = at - useNow();
  return (
    <>
      {left > 0 && (
        <p>
          Expires in <strong role="timer">{duration(left)}</strong>, on {dateAndTime(at)}.
        </p>
      )}
      <div role="status">
        {left <= 0 && (
          <p>
            <strong>The token has expired.</strong> Get a new one with the same refresh token.
          </p>
        )}
      </div>
    </>
  );
}

function TrialResult({ exchange }: { readonly exchange: Exchange }) {
  if (succeeded(exchange))
    return <Alert kind="good">The service accepted the token and returned the list of dogs.</Alert>;
  if (exchange.response?.status !== 401) return <Alert kind="bad">{problemOf(exchange).detail}</Alert>;
  return (
    <Alert kind="bad">
      <p>
        The service refused the token. It accepts a token only if the signature is valid and the token has not
        expired.
      </p>
      <p>
        <code>WWW-Authenticate: {headerOf(exchange, 'www-authenticate')}</code>
      </p>
      <p>After a 401, a client should get a new access token and repeat the request.</p>
    </Alert>
  );
}
