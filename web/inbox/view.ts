import type { MailPage } from '@rest-actions/local-cloud/mail';
import { counted } from '../shared/counted.ts';

export interface View {
  /** The beginning of the sender's or a recipient's address. If empty, matches every email. */
  readonly address: string;
  /** Part of the subject, the body or an address. If empty, matches every email. */
  readonly text: string;
  /** The page contains only emails older than the one with this ID. */
  readonly before?: string;
  /** The page contains the emails just newer than the one with this ID. If they do not fill a page, it is the newest page. */
  readonly after?: string;
}

const pageSize = 50;

/** Returns the address in a URL's fragment, such as `#rex%40example.com`. */
export function addressOf(fragment: string): string {
  const address = fragment.replace(/^#/, '');
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Returns the fragment that filters by an address. Empty for an empty address. */
export function fragmentOf(address: string): string {
  return address && `#${encodeURIComponent(address)}`;
}

export function queryOf(view: View): string {
  const parameters = Object.entries({ ...view, limit: `${pageSize}` }).filter(([, value]) => value);
  return `${new URLSearchParams(parameters)}`;
}

/** Returns undefined if the page contains the oldest matching email. */
export function olderThan(page: MailPage, { address, text }: View): View | undefined {
  const last = page.emails.at(-1);
  const hasOlder = page.newer + page.emails.length < page.matching;
  return last && hasOlder ? { address, text, before: last.messageId } : undefined;
}

/** Returns undefined if the page contains the newest matching email. */
export function newerThan(page: MailPage, { address, text }: View): View | undefined {
  const [first] = page.emails;
  return first && page.newer > 0 ? { address, text, after: first.messageId } : undefined;
}

/** Returns text such as "3 of 1,000 emails match". */
export function summaryOf({ matching, total }: MailPage, { address, text }: View): string {
  if (address || text)
    return `${numberOf(matching)} of ${counted(total, 'email')} ${matching === 1 || total === 1 ? 'matches' : 'match'}`;
  return counted(total, 'email');
}

/** Returns text such as "51–100 of 1,000". */
export function rangeOf({ newer, emails, matching }: MailPage): string {
  return `${numberOf(newer + 1)}–${numberOf(newer + emails.length)} of ${numberOf(matching)}`;
}

function numberOf(count: number): string {
  return count.toLocaleString('en');
}
