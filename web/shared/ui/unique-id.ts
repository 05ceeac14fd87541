import { useState } from 'preact/hooks';

let last = 0;

/**
 * Returns an ID that no other element of the page has. The documentation page has a root for each form, and Preact's `useId`
 * returns the same IDs in each root.
 */
export function useUniqueId(): string {
  const [id] = useState(() => {
    last += 1;
    return `u${last}`;
  });
  return id;
}
