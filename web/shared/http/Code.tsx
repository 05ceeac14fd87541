import { Fragment } from 'preact';

/** A longer word may not fit on a line on a phone. */
const maxUnbroken = 30;

/** A text whose lines break between words and after slashes, but not after the hyphens of a word. */
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
