import { type CaseGroup, invalidBody, type Refusal, tooLarge } from './case.ts';

const form = 'application/x-www-form-urlencoded';
const right = 'List-Unsubscribe=One-Click';
const link = '{dog}mail-subscription';
const token = 'q7Zt0pXv2mB9sU4wKc1yLrAe';

const noSubscription: Refusal = {
  status: 404,
  problem: 'mail-subscription-not-found',
  detail: 'The link is no longer valid.',
};

const notOneClick = invalidBody({ '/List-Unsubscribe': 'must be One-Click' });

const noForm: Refusal = {
  status: 415,
  problem: 'unsupported-media-type',
  detail:
    'The request body must be a form. Send it with Content-Type: application/x-www-form-urlencoded or multipart/form-data.',
  headers: { 'Accept-Post': 'application/x-www-form-urlencoded, multipart/form-data' },
};

const multipart = 'multipart/form-data; boundary=b';
const partWith = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;

export const refusedSubscriptions: readonly CaseGroup[] = [
  {
    title: 'mail-subscription with a wrong token',
    dogs: ['new', 'absent'],
    cases: [
      { request: `GET ${link}/${token}`, ...noSubscription },
      { request: `HEAD ${link}/${token}`, ...noSubscription },
      { request: `GET ${link}/x`, name: 'a short token', ...noSubscription },
      { request: `POST ${link}/${token}`, fields: { 'Content-Type': form }, body: right, ...noSubscription },
      {
        request: `POST ${link}/${token}`,
        name: 'a part of a form',
        fields: { 'Content-Type': multipart },
        body: partWith('List-Unsubscribe', 'One-Click'),
        ...noSubscription,
      },
    ],
  },
  {
    title: `POST ${link}`,
    dogs: ['new'],
    cases: [
      ...[
        ['no body', form, ''],
        ['another field', form, 'Unsubscribe=One-Click'],
        ['another value', form, 'List-Unsubscribe=Two-Clicks'],
        ['another part', multipart, partWith('Unsubscribe', 'One-Click')],
      ].map(([name = '', type = '', body = '']) => ({
        request: `POST ${link}/${token}`,
        name,
        fields: { 'Content-Type': type },
        body,
        ...notOneClick,
      })),
      {
        request: `POST ${link}/${token}`,
        name: 'JSON',
        body: { 'List-Unsubscribe': 'One-Click' },
        ...noForm,
      },
      {
        request: `POST ${link}/${token}`,
        name: 'no Content-Type',
        fields: { 'Content-Type': '' },
        body: right,
        ...noForm,
      },
      {
        request: `POST ${link}/${token}`,
        name: 'a body of 64 KiB and a byte',
        fields: { 'Content-Type': form },
        body: `${right}&${'x'.repeat(65_536 - right.length)}`,
        ...tooLarge(65_537),
      },
    ],
  },
];
