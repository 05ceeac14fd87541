import { header } from '../headers.ts';
import { invalidBody, undecodable } from '../problems.ts';
import { htmlPage } from '../schemas.ts';
import type { OperationDescription, ResponseDescription } from '../types.ts';

const pageHeaders = {
  'Content-Security-Policy': header('Content-Security-Policy'),
  'Referrer-Policy': header('Referrer-Policy'),
};

const page = (title: string, text: string) => ({
  'text/html': htmlPage(
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body><p>${text}</p></body></html>\n`,
  ),
});

const noSubscription: ResponseDescription = {
  description:
    'The token is wrong, the dog does not exist, or the dog no longer has an address to which it sent the email.',
  problems: ['mail-subscription-not-found'],
};

const form = {
  schema: {
    type: 'object',
    minProperties: 1,
    properties: {
      'List-Unsubscribe': {
        type: 'string',
        const: 'One-Click',
        description: 'Unsubscribes. RFC 8058 requires this field.',
      },
      subscribed: { type: 'string', const: 'true', description: 'Undoes the request to unsubscribe.' },
    },
  },
  examples: {
    oneClick: { summary: 'One-click unsubscribe', value: { 'List-Unsubscribe': 'One-Click' } },
    undo: { summary: 'Undo', value: { subscribed: 'true' } },
  },
} as const;

export const mailOperations = {
  GetMailSubscription: {
    tag: 'Mail',
    description:
      "Returns a page on which an email's recipient can unsubscribe. Each email contains this URL, in both of its parts and in the header field `List-Unsubscribe`. The page has a button that sends the POST request, and then shows one that undoes it. The GET request changes nothing, because mail scanners follow the links in a mail.",
    responses: {
      200: {
        description: 'The page.',
        headers: pageHeaders,
        content: page('Unsubscribe', 'The dog rex sends mail to rex@example.com.'),
      },
      404: noSubscription,
    },
  },
  PostMailSubscription: {
    tag: 'Mail',
    description:
      "Stops a dog's mail to the recipients of an email (the field `List-Unsubscribe`), or undoes that (the field `subscribed`). If the dog no longer has one of their addresses, this concerns only the other one. Mail programs send the first field when the recipient presses their unsubscribe button (RFC 8058). A repeat has no further effect. Only the operator can lift a suspension for another reason.",
    requestBody: {
      // `content` does not list multipart/form-data, because code generators handle only one type of form per operation.
      description: 'The form that a mail program or the page sends. It may also be `multipart/form-data`.',
      required: true,
      content: { 'application/x-www-form-urlencoded': form },
    },
    responses: {
      200: {
        description: 'The page. The dog no longer sends mail to the recipients, or sends it again.',
        headers: pageHeaders,
        content: page('You are unsubscribed', 'The dog rex no longer sends mail to rex@example.com.'),
      },
      404: noSubscription,
      415: {
        description:
          'The Content-Type is not that of a form, or the body does not have the coding in Content-Encoding.',
        headers: { 'Accept-Post': header('Accept-Post') },
        problems: [
          {
            type: 'unsupported-media-type',
            detail:
              'The request body must be a form. Send it with Content-Type: application/x-www-form-urlencoded or multipart/form-data.',
          },
        ],
        gateway: undecodable,
      },
      422: {
        description: 'The form has neither field.',
        problems: [invalidBody({ '/List-Unsubscribe': 'must be One-Click' })],
      },
    },
  },
} as const satisfies Record<string, OperationDescription>;
