import { type Exchange, noResponse, type ServiceResponse } from '../shared/http/exchange.ts';
import { indented, statusLine } from '../shared/http/exchange-text.ts';
import type { Request } from '../shared/http/requests.ts';
import { snippetOf, withheld } from '../shared/http/snippets/snippet.ts';
import { base } from '../shared/service.ts';
import { credentials } from '../shared/session.ts';
import { element, fill } from './dom.ts';

/** A wide window shows the request of an action before the page sends it. */
const wideWindow = matchMedia('(min-width: 72rem)');

/** Shows a request and its response. */
export class ExchangePanel {
  readonly element: HTMLDetailsElement;
  private readonly ofAction: boolean;

  /** @param ofAction true if an action of the user sends the request. If it is false, the panel is closed at first */
  constructor({ ofAction = true } = {}) {
    this.ofAction = ofAction;
    this.element = element('details', { class: 'exchange', open: ofAction && wideWindow.matches });
  }

  /** Shows a request that the page has not sent yet. */
  preview(request: Request): void {
    this.render(request, element('span', { class: 'badge' }, 'not sent yet'));
  }

  show({ request, response }: Exchange): void {
    if (this.ofAction) this.element.open = true;
    const status = response ? statusLine(response.status) : 'no response';
    this.render(
      request,
      element('span', { class: `badge ${kindOf(response)}` }, status),
      ...(response ? responseParts(response) : [element('p', { class: 'note' }, noResponse)]),
    );
  }

  private render(request: Request, badge: HTMLElement, ...response: HTMLElement[]): void {
    fill(
      this.element,
      element(
        'summary',
        {},
        element('span', { class: 'method' }, request.method),
        ' ',
        element('code', {}, request.path),
        ' ',
        badge,
      ),
      part('Request', requestText(request)),
      ...response,
      curlPart(request),
    );
  }
}

function kindOf(response: ServiceResponse | undefined): 'bad' | 'good' {
  return response && response.status < 400 ? 'good' : 'bad';
}

function part(title: string, text: string): HTMLElement {
  return element('div', { class: 'part' }, element('h3', {}, title), element('pre', {}, text));
}

function requestText({ method, path, headers, body }: Request): string {
  const scheme = 'accessToken' in (credentials.value ?? {}) ? 'Bearer' : 'Basic';
  return messageText(
    `${method} ${new URL(base).pathname.replace(/\/$/, '')}${path}`,
    [['Authorization', `${scheme} ••••••`], ...Object.entries(headers)],
    body,
  );
}

function responseParts(response: ServiceResponse): HTMLElement[] {
  const { headers, body, followedTo } = response;
  const text = messageText(statusLine(response.status), headers, body);
  if (followedTo === undefined) return [part('Response', text)];
  return [
    element(
      'p',
      { class: 'note redirect' },
      'The browser followed a redirect, which this page cannot see. The curl command shows it.',
    ),
    part(`Response to the GET ${followedTo} that followed`, text),
  ];
}

function messageText(
  firstLine: string,
  headers: readonly (readonly [string, string])[],
  body: string | undefined,
): string {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return [lines.join('\n'), ...(body ? [indented(body)] : [])].join('\n\n');
}

function curlPart(request: Request): HTMLElement {
  const commandText = (isSecretShown: boolean) => {
    const sender = credentials.value;
    return snippetOf(request, base, 'curl', isSecretShown ? sender : sender && withheld(sender));
  };
  const command = element('pre', { class: 'curl' }, commandText(false));
  const copyStatus = element('span', { role: 'status' });
  const secret = element('input', {
    type: 'checkbox',
    onchange: () => fill(command, commandText(secret.checked)),
  });
  const copyButton = element(
    'button',
    {
      type: 'button',
      class: 'small',
      onclick: async () => {
        const copied = await copy(command);
        fill(copyStatus, copied ? 'Copied' : 'Selected. Copy it with the keyboard.');
      },
    },
    'Copy curl',
  );
  return element(
    'div',
    { class: 'part' },
    element('h3', {}, 'Command'),
    command,
    element(
      'div',
      { class: 'row' },
      copyButton,
      element('label', { class: 'check' }, secret, 'show the password'),
      copyStatus,
    ),
  );
}

/**
 * Copies the text of an element to the clipboard, or selects it.
 *
 * @returns true if the text was copied, and false if the browser denied access to the clipboard and the text is only selected
 */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}
