import { Fragment } from 'preact';

/** A longer word may be too wide for a phone, so it may break anywhere. */
const maxUnbroken = 30;

/** Text whose lines break between words and after slashes, but not after hyphens. */
export function Code({ text }: { readonly text: string }) {
  return (text.match(/\s+|[^\s/]*\/|[^\s/]+/g) ?? []).map((part, i) =>
    part.length > maxUnbroken || part.trim() === '' ? (
      part
    ) : (
      <Fragment key={i}>
        <span class="token">{part}</span>
        <wbr />
      </Fragment>
    ),
  );
}
