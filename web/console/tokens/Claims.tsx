import { dateAndTime } from '../../shared/time.ts';
import { type DecodedToken, timeClaim } from './access-token.ts';

const meanings: Readonly<Record<string, string>> = {
  alg: 'the algorithm of the signature',
  typ: 'the type of the token',
  kid: 'the key that verifies the signature',
  iss: 'the service that issued the token',
  aud: 'the service that accepts the token',
  sub: 'the user',
  client_id: 'the client',
  iat: 'issued at',
  exp: 'expires at',
  jti: 'the ID of the token',
};

const timeClaims = ['iat', 'exp'];

export function Claims({ token }: { readonly token: DecodedToken }) {
  return (
    <div class="claims">
      <Part title="Header" members={token.header} token={token} />
      <Part title="Payload" members={token.claims} token={token} />
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly token: DecodedToken;
}

function Part({ title, members, token }: PartProps) {
  return (
    <div>
      <h3>{title}</h3>
      <dl>
        {Object.entries(members).map(([name, value]) => {
          const at = timeClaims.includes(name) ? timeClaim(token, name) : undefined;
          return (
            <div key={name}>
              <dt>
                <code>{name}</code> {meanings[name] && <small>{meanings[name]}</small>}
              </dt>
              <dd>
                <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
                {at !== undefined && (
                  <time dateTime={new Date(at * 1000).toISOString()}>{dateAndTime(at)}</time>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
