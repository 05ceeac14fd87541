import type { MailPage } from '../../local/ses/mail.ts';
import { counted } from '../shared/counted.ts';

/** The emails that the page shows. */
export interface View {
  /** The beginning of the sender's or a recipient's address. If empty, all addresses match. */
  readonly address: string;
  /** Text in the email. If empty, all emails match. */
  readonly text: string;
  /** The ID of an email. The page contains only older emails. */
  readonly before?: string;
  /** The ID of an email. The page contains only newer emails. */
  readonly after?: string;
}

/** The number of emails on a page. */
const pageSize = 50;

/** Returns the address in the fragment of a URL, such as `#rex%40example.com`. */
export function addressOf(fragment: string): string {
  const address = fragment.replace(/^#/, '');
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Returns the fragment that sets the filter to an address. It is empty for an empty address. */
export function fragmentOf(address: string): string {
  return address && `#${encodeURIComponent(address)}`;
}

/** Returns the query that selects the emails of a view. */
export function queryOf(view: View): string {
  const parameters = Object.entries({ ...view, limit: `${pageSize}` }).filter(([, value]) => value);
  return `${new URLSearchParams(parameters)}`;
}

/** Returns the view of the next older page, or undefined if the page contains the oldest email. */
export function olderThan(page: MailPage, { address, text }: View): View | undefined {
  const last = page.emails.at(-1);
  const hasOlder = page.newer + page.emails.length < page.matching;
  return last && hasOlder ? { address, text, before: last.messageId } : undefined;
}

/** Returns the view of the next newer page, or undefined if the page contains the newest email. */
export function newerThan(page: MailPage, { address, text }: View): View | undefined {
  const [first] = page.emails;
  return first && page.newer > 0 ? { address, text, after: first.messageId } : undefined;
}

/** Returns how many emails there are, such as "3 of 1,000 emails match". */
export function summaryOf({ matching, total }: MailPage, { address, text }: View): string {
  if (address || text)
    return `${numberOf(matching)} of ${counted(total, 'email')} ${matching === 1 ? 'matches' : 'match'}`;
  return counted(total, 'email');
}

/** Returns the positions of the emails on a page, such as "51–100 of 1,000". */
export function rangeOf({ newer, emails, matching }: MailPage): string {
  return `${numberOf(newer + 1)}–${numberOf(newer + emails.length)} of ${numberOf(matching)}`;
}

function numberOf(count: number): string {
  return count.toLocaleString('en');
}
