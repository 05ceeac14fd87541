import { curlOf } from './curl.ts';
import { element, fill } from './dom.ts';
import { type Answer, type Exchange, noAnswer, statusLine } from './exchange.ts';
import type { Request } from './requests.ts';
import { base } from './service.ts';
import { inClear } from './session.ts';

/** Matches if the page is wide enough to show a request before it is sent. */
const roomy = matchMedia('(min-width: 72rem)');

/** Shows a request and its response. */
export class ExchangePanel {
  readonly element: HTMLDetailsElement;
  private readonly ofAction: boolean;

  /** @param ofAction false for reads of the page itself, which stay closed because they are less important */
  constructor({ ofAction = true } = {}) {
    this.ofAction = ofAction;
    this.element = element('details', { class: 'exchange', open: ofAction && roomy.matches });
  }

  /** Shows a request that is not sent yet. */
  preview(request: Request): void {
    this.render(request, element('span', { class: 'badge' }, 'not sent yet'));
  }

  show({ request, answer }: Exchange): void {
    if (this.ofAction) this.element.open = true;
    const status = answer ? statusLine(answer) : 'no answer';
    this.render(
      request,
      element('span', { class: `badge ${kindOf(answer)}` }, status),
      ...(answer ? answerParts(answer) : [element('p', { class: 'note' }, noAnswer)]),
    );
  }

  private render(request: Request, badge: HTMLElement, ...answer: HTMLElement[]): void {
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
      ...answer,
      curlPart(request),
    );
  }
}

function kindOf(answer: Answer | undefined): 'bad' | 'good' {
  return answer && answer.status < 400 ? 'good' : 'bad';
}

function part(title: string, text: string): HTMLElement {
  return element('div', { class: 'part' }, element('h3', {}, title), element('pre', {}, text));
}

function requestText({ method, path, headers, body }: Request): string {
  return messageText(
    `${method} ${new URL(base).pathname.replace(/\/$/, '')}${path}`,
    [['Authorization', 'Basic ••••••'], ...Object.entries(headers)],
    body,
  );
}

function answerParts(answer: Answer): HTMLElement[] {
  const { headers, body, followedTo } = answer;
  const text = messageText(statusLine(answer), headers, body);
  if (followedTo === undefined) return [part('Answer', text)];
  return [
    element(
      'p',
      { class: 'note redirect' },
      'The browser followed a redirect, and shows a page nothing but the end of it. curl shows the redirect itself.',
    ),
    part(`Answer to the GET ${followedTo} that followed`, text),
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

/** Returns a JSON document with indentation. Other text stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function curlPart(request: Request): HTMLElement {
  const command = element('pre', { class: 'curl' }, curlOf(request, base));
  const told = element('span', { role: 'status' });
  const secret = element('input', {
    type: 'checkbox',
    onchange: () => fill(command, curlOf(request, base, secret.checked ? inClear() : undefined)),
  });
  const copyButton = element(
    'button',
    {
      type: 'button',
      class: 'small',
      onclick: async () => {
        const copied = await copy(command);
        fill(told, copied ? 'Copied' : 'Selected: copy it by the keyboard');
      },
    },
    'Copy curl',
  );
  return element(
    'div',
    { class: 'part' },
    element('h3', {}, 'As a command'),
    command,
    element(
      'div',
      { class: 'row' },
      copyButton,
      element('label', { class: 'check' }, secret, 'with the password in clear'),
      told,
    ),
  );
}

/**
 * Copies the text of an element to the clipboard.
 *
 * @returns false if the browser does not permit this. The text is then selected
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
