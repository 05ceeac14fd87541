import { useState } from 'preact/hooks';
import type { Token } from '../../../client/index.ts';
import { documentOf, succeeded } from '../../shared/http/exchange.ts';
import { base } from '../../shared/service.ts';
import { Heading } from '../../shared/ui/Heading.tsx';
import { AccessToken } from './AccessToken.tsx';
import { decodeToken } from './access-token.ts';
import { TokenForm } from './TokenForm.tsx';

export function Tokens() {
  const [text, setText] = useState('');
  const decoded = decodeToken(text);
  return (
    <div class="page">
      <Heading>Tokens</Heading>
      <p class="lead">
        A refresh token never expires, and a client can use it any number of times. The client exchanges it
        for an access token, which it sends with each request for one hour.{' '}
        <a href={`${base}/docs#tokens`}>Read about tokens in the documentation.</a>
      </p>
      <TokenForm
        received={(exchange) => setText(succeeded(exchange) ? documentOf<Token>(exchange).access_token : '')}
      />
      {decoded && <AccessToken key={text} text={text} decoded={decoded} />}
    </div>
  );
}
