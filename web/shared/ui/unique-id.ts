import { useState } from 'preact/hooks';

let last = 0;

/**
 * Returns an ID that is unique on the page. The documentation page has a root for each form, and Preact's `useId` returns the
 * same IDs in each root.
 */
export function useUniqueId(): string {
  const [id] = useState(() => {
    last += 1;
    return `u${last}`;
  });
  return id;
}
