import type { LocalCloud } from '@rest-actions/local-cloud';
import type { Access } from './access.ts';
import type { Key } from './keys.ts';

/** Called when the service is ready. */
export type StartPage = (cloud: LocalCloud, access: Access) => StartedPage;

/** What `npm start` shows of a page. */
export interface StartedPage {
  /** Members of the event `ready`. */
  readonly facts: Readonly<Record<string, string>>;
  readonly rows: readonly BannerRow[];
  readonly keys?: readonly Key[];
}

/** A label, a URL, and what else to know about the URL. */
export type BannerRow = readonly [label: string, url: string, remark?: string];
