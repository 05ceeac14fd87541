import { documentOf, type Exchange, headerOf } from '../shared/http/exchange.ts';
import { createDog, get, pathOf, postBark, postSchedule, type Request } from '../shared/http/requests.ts';
import { type FormValues, missingValues, type OperationForm, requestOf } from './operation-request.ts';

/** The dog in the examples. A form creates no other dog, because another ID may be a typo. */
const exampleDog = 'rex';

/** In 2033, so that the schedule does not make the dog bark soon. */
const later = 2_000_000_000;

export interface Attempt {
  /** Includes the ID of the bark that the preparation created, if any. */
  readonly values: FormValues;
  readonly preparation: readonly Exchange[];
  /** The operation's own exchange, or the one that failed before it. */
  readonly exchange: Exchange;
}

/**
 * Sends a form's request. First gets missing values from the service. If the service does not find the example dog or one of the
 * dog's resources, creates what is missing and repeats the request.
 */
export async function attempt(
  form: OperationForm,
  values: FormValues,
  send: (request: Request) => Promise<Exchange>,
): Promise<Attempt> {
  const { dog_id: dog = '' } = values.parameters;
  const creations = dog === exampleDog ? creationsFor(form) : [];
  const preparation: Exchange[] = [];
  const sendWithDog = async (request: Request): Promise<Exchange> => {
    const exchange = await send(request);
    if (exchange.response?.status !== 404 || creations.length === 0) return exchange;
    preparation.push(exchange);
    for (const one of creations.splice(0)) preparation.push(await send(one));
    return send(request);
  };

  const found: Record<string, string> = {};
  for (const name of missingValues(form, values)) {
    const source = sources[name];
    if (!source) continue;
    const { request, valueIn } = source;
    const exchange = await sendWithDog(request(dog));
    found[name] = valueIn(exchange);
    if (found[name] === '') return { values, preparation, exchange };
    preparation.push(exchange);
  }
  const filled = (parameters: object) => ({ ...values, parameters: { ...values.parameters, ...parameters } });
  const exchange = await sendWithDog(requestOf(form, filled(found)));
  const { bark_id } = found;
  return { values: bark_id === undefined ? values : filled({ bark_id }), preparation, exchange };
}

interface Source {
  readonly request: (dog: string) => Request;
  /** Returns the value in the response, or an empty text if the request failed. */
  readonly valueIn: (exchange: Exchange) => string;
  readonly hint: string;
}

/** The required parameters whose values a form gets from the service if the reader leaves them empty. */
const sources: Readonly<Record<string, Source>> = {
  bark_id: {
    request: (dog) => postBark(dog, { resource: 'barks', message: '', preferences: ['respond-async'] }),
    valueIn: (exchange) =>
      exchange.response?.status === 202
        ? (documentOf<{ bark: string }>(exchange).bark.split('/').at(-1) ?? '')
        : '',
    hint: 'If you leave it empty, the form makes the dog bark asynchronously first, and uses that bark.',
  },
  'If-Unmodified-Since': {
    request: (dog) => get(pathOf(dog)),
    valueIn: (exchange) => headerOf(exchange, 'last-modified') ?? '',
    hint: 'If you leave it empty, the form reads the dog first, and uses its Last-Modified.',
  },
};

/** Returns what a form does if a required parameter is empty, or undefined if the reader must enter a value. */
export function hintOf(name: string): string | undefined {
  return sources[name]?.hint;
}

/** Returns the requests that create what an operation's 404 reports as missing. They replace nothing that exists. */
function creationsFor(form: OperationForm): Request[] {
  if (form.isPublic) return [];
  return [
    createDog(exampleDog, { barkEffects: ['record'] }),
    ...(isAboutSchedule(form) ? [postSchedule(exampleDog, { token: Date.now(), next: later })] : []),
    ...(isAboutLastBark(form) ? [postBark(exampleDog, { resource: 'bark', message: '' })] : []),
  ];
}

const isAboutSchedule = ({ method, path }: OperationForm) =>
  method !== 'POST' && path.endsWith('/bark-schedule');

const isAboutLastBark = ({ method, path }: OperationForm) => method === 'GET' && path.endsWith('/bark');

/** Returns sentences about what an operation needs, or undefined if it needs nothing. */
export function needsOf(form: OperationForm): string | undefined {
  const { method, path } = form;
  if (path.endsWith('/token'))
    return 'The request needs a client and a refresh token of your own, in place of those in the example. The operator creates them. If you run the service with npm start, they are in .local/access.json.';
  if (path.endsWith('{token}')) return "The request needs the token from an email's unsubscribe link.";
  if (method === 'PUT' || !path.includes('{dog_id}')) return undefined;
  const also = isAboutSchedule(form)
    ? ' If the dog has never had a schedule, the form sets one.'
    : isAboutLastBark(form)
      ? ' If the dog has not barked yet, the form makes it bark.'
      : '';
  return `The request needs a dog. If the dog ${exampleDog} does not exist, the form creates it.${also}`;
}
