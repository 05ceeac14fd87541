import { eventually } from '@rest-actions/local-cloud/testing';
import type { Document } from '../../openapi/document.ts';
import { firstResponseOf } from '../../openapi/page/operation.ts';
import { formOf, operationsOf, type PlacedOperation, snippetsOf } from '../../openapi/page/request.ts';
import { exampleValues, requestOf } from '../../web/docs/operation-request.ts';
import { withOwnValues } from '../../web/docs/own-values.ts';
import type { Language } from '../../web/shared/http/snippets/snippet.ts';
import { lacks } from '../support/capabilities.ts';
import { documentOf, header, nextOf } from '../support/client.ts';
import { installed, runExamples } from '../support/examples.ts';
import { firstMissing, printed } from '../support/shown-responses.ts';
import { access, mailsTo, service, simulatedAddress, skipTime, testDogs } from './support.ts';

/** True if the service has what an example needs. A reader without that cannot run the example. */
const isPossible: Readonly<Record<string, boolean>> = {
  IssueToken: access.auth_url !== undefined,
  GetMailSubscription: access.mail_url !== undefined && !lacks('mail'),
  PostMailSubscription: access.mail_url !== undefined && !lacks('mail'),
};

const description = await service.get('/openapi.json', { Authorization: '' });
const operations = operationsOf(documentOf<Document>(description)).filter(
  ({ operation: { operationId } }) => isPossible[operationId] ?? true,
);
const named = operations.map((placed) => ({ placed, name: placed.operation.operationId }));

const placedOf = (name: string) =>
  operations.find(({ operation }) => operation.operationId === name) as PlacedOperation;

/** The operations whose examples prepare another operation's example, after a dog is created. */
const before: Readonly<Record<string, readonly string[]>> = {
  ListBarks: ['PostBarks'],
  GetLastBark: ['PostLastBark'],
  GetBarkSchedule: ['PostBarkSchedule'],
  DeleteBarkSchedule: ['PostBarkSchedule'],
};

/** The values of this service, by the example values that they replace. */
type Values = Readonly<Record<string, string>>;

const replaced = (text: string, values: Values) =>
  Object.entries(values).reduce((before, [example, value]) => before.replaceAll(example, value), text);

/** Sends the request of an example. @param changes other parameter values and another body */
function send(
  placed: PlacedOperation,
  values: Values,
  { parameters, type, body }: { parameters?: Values; type?: string; body?: string } = {},
) {
  const form = formOf(placed);
  const example = exampleValues(form);
  const request = requestOf(form, {
    parameters: { ...example.parameters, ...parameters },
    body: body ?? example.body,
  });
  const fields = {
    ...request.headers,
    ...(type !== undefined && { 'Content-Type': type }),
    ...(form.isPublic && { Authorization: '' }),
  };
  return service.send(request.method, replaced(request.path, values), {
    fields: JSON.parse(replaced(JSON.stringify(fields), values)),
    ...(request.body !== undefined && { body: Buffer.from(replaced(request.body, values)) }),
  });
}

/** Creates what the example of an operation needs, with the examples of other operations. */
async function prepare(name: string): Promise<Values> {
  const path = testDogs.newPath();
  const id = path.split('/').at(-2) ?? '';
  const values: Values = { '/rex': `/${id}`, "'rex'": `'${id}'`, '"rex"': `"${id}"` };
  if (name === 'PutDog') return values;
  const { status } = await send(placedOf('PutDog'), values);
  expect(status).toBe(201);
  for (const other of before[name] ?? [])
    expect((await send(placedOf(other), values)).status).toBeLessThan(400);
  return { ...values, ...(await valuesOf(name, path)) };
}

/** Returns the values that only the service knows: of a pending bark, the dog, an email, or a client. */
async function valuesOf(name: string, dog: string): Promise<Values> {
  if (name === 'PatchDog')
    return { 'Sat, 21 Nov 2026 07:00:00 GMT': header(await service.get(dog), 'Last-Modified') };
  if (name.endsWith('MailSubscription')) return { q7Zt0pXv2mB9sU4wKc1yLrAe: await subscriptionToken(dog) };
  if (name === 'GetBark' || name === 'DeleteBark') {
    const accepted = await service.post(`${dog}barks`, undefined, { Prefer: 'respond-async' });
    return { a01M7XTJQRGHZ3MM2X05VM3ARQN: header(accepted, 'Location').split('/').at(-1) ?? '' };
  }
  const { client_id = '', client_secret = '', refresh_token = '' } = access;
  return { walker: client_id, lXkS9nq0mX2v7Zr3: client_secret, pQ4t8Wc1yB6u0Ke5: refresh_token };
}

async function subscriptionToken(dog: string): Promise<string> {
  const email = simulatedAddress();
  await service.put(dog, { email, barkEffects: ['emailDog'] });
  await service.post(`${dog}barks`);
  return eventually(async () => {
    const [mail] = await mailsTo(email);
    const [, token = ''] = /mail-subscription\/([\w-]+)/.exec(mail?.unsubscribe ?? '') ?? [];
    expect(token).not.toBe('');
    return token;
  });
}

/** Returns the body of a response as the service sends it. `…` replaces what differs between services. */
function bodyOf({ operation }: PlacedOperation): string {
  const { document } = firstResponseOf(operation);
  if (document === undefined) return '';
  if (operation.operationId === 'ListDogs') return '{"dogs":[{';
  if (operation.operationId === 'GetOpenApi') return '{"openapi":"3.1.1",';
  if (operation.operationId === 'GetKeys') return '{"keys":[{';
  return JSON.stringify(document).replace(/"[\w-]{40,}(\.[\w-]+)*"/g, '"…"');
}

/** Code that prints the name of an operation on a line. */
const printName: Readonly<Record<Language, (name: string) => string>> = {
  curl: (name) => `echo; echo '== ${name}'`,
  typescript: (name) => `console.log('\\n== ${name}');`,
  python: (name) => `print('\\n== ${name}')`,
};

describe('The reference', () => {
  test.each(installed)('shows examples in %s that get the responses that it shows', async (language) => {
    const prepared = await Promise.all(
      named.map(async ({ name, placed }) => ({ name, placed, values: await prepare(name) })),
    );
    const own = (text: string, values: Values) =>
      withOwnValues(replaced(text, values), access.base_url, access.username);
    const examples = prepared.map(({ name, placed, values }) =>
      [own(snippetsOf(placed)[language], values), printName[language](name)].join('\n'),
    );
    // While the clock is set back, the barks remain pending.
    await skipTime(-60);
    const environment = { ...process.env, PASSWORD: access.password };
    const output = await runExamples(language, examples, environment).finally(() => skipTime(60));
    const outputs = output.split(/\n== \w+\n/);
    const different = prepared.flatMap(({ name, placed, values }, i) => {
      const { status } = firstResponseOf(placed.operation);
      const shown = printed({ status, body: own(bodyOf(placed), values) }, language);
      const missing = firstMissing(shown, `\n${outputs[i]}`);
      return missing === undefined ? [] : [{ name, missing, output: outputs[i] }];
    });
    expect(different).toEqual([]);
  });

  test.each(named.filter(({ placed }) => placed.operation.requestBody))(
    'shows bodies of $name that the service accepts, in each media type',
    async ({ name, placed }) => {
      for (const [type, { examples = {} }] of Object.entries(placed.operation.requestBody?.content ?? {}))
        for (const [example, { value }] of Object.entries(examples)) {
          const isForm = type === 'application/x-www-form-urlencoded';
          const body = isForm ? `${new URLSearchParams(value as Values)}` : JSON.stringify(value);
          const { status } = await send(placed, await prepare(name), { type, body });
          expect({ example, isAccepted: status < 400 }).toEqual({ example, isAccepted: true });
        }
    },
  );

  const optional = named.flatMap(({ name, placed }) =>
    formOf(placed)
      .parameters.filter((parameter) => !parameter.isRequired)
      .map((parameter) => ({ name, placed, parameter: parameter.name, example: parameter.example })),
  );

  test('shows examples of optional parameters that the service understands', async () => {
    const refused: string[] = [];
    const check = async ({ name, placed, parameter, example }: (typeof optional)[number]) => {
      const values = await prepare(name);
      const isCursor = name === 'ListBarks' && parameter === 'after';
      const own = isCursor ? await cursorOf(placed, values) : example;
      const { status, text } = await send(placed, values, {
        parameters: {
          [parameter]: own,
          // @extension waiting {
          // A wait for a bark takes real time.
          ...(parameter === 'Prefer' && { Prefer: own.replace(/\d+/, '1') }),
          // @extension waiting }
        },
      });
      // The preconditions are false, because the example's entity tag is not that of the resource.
      const isUnderstood = status < 400 || status === 412 || text.includes('#problem-precondition-failed');
      if (!isUnderstood) refused.push(`${name} ${parameter} ${status}`);
    };
    await Promise.all(optional.map(check));
    expect(refused).toEqual([]);
  });
});

/** Returns a cursor of a dog's barks. No other dog has the same cursor. */
async function cursorOf(listBarks: PlacedOperation, values: Values): Promise<string> {
  await send(placedOf('PostBarks'), values);
  const page = await send(listBarks, values, { parameters: { limit: '1' } });
  return new URL(nextOf(page) ?? '').searchParams.get('after') ?? '';
}
