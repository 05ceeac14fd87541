import { header } from '../headers.ts';
import { fieldErrors, undecodable } from '../problems.ts';
import { problem, response } from '../responses.ts';
import type { MediaType, OperationDescription } from '../types.ts';

const pageHeaders = {
  'Content-Security-Policy': header('Content-Security-Policy'),
  'Referrer-Policy': header('Referrer-Policy'),
};

/** The example is an outline of the page. */
function page(title: string, text: string): Readonly<Record<string, MediaType>> {
  const value = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><p>${text}</p></body></html>\n`;
  return {
    'text/html': {
      schema: { type: 'string', pattern: '^<!doctype html>' },
      examples: { page: { summary: 'An outline of the page', value } },
    },
  };
}

const noSubscription = problem(
  404,
  'The token is wrong, the dog does not exist, or the dog no longer has an address to which it sent the email.',
  {
    'mail-subscription-not-found': 'The link is no longer valid.',
  },
);

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
      200: response('The page.', {
        headers: pageHeaders,
        content: page('Unsubscribe', 'The dog rex sends mail to rex@example.com.'),
      }),
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
      200: response('The page. The dog no longer sends mail to the recipients, or sends it again.', {
        headers: pageHeaders,
        content: page('You are unsubscribed', 'The dog rex no longer sends mail to rex@example.com.'),
      }),
      404: noSubscription,
      415: problem(
        415,
        'The Content-Type is not that of a form, or the body does not have the coding in Content-Encoding.',
        {
          'unsupported-media-type':
            'The request body must be a form. Send it with Content-Type: application/x-www-form-urlencoded or multipart/form-data.',
        },
        { 'Accept-Post': header('Accept-Post') },
        undecodable,
      ),
      422: problem(422, 'The form has neither field.', {
        'invalid-body': fieldErrors({ '/List-Unsubscribe': 'must be One-Click' }),
      }),
    },
  },
} as const satisfies Record<string, OperationDescription>;
