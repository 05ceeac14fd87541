/** Matches if two columns fit into the window. The styles use the same width. */
export const wideWindow = matchMedia('(min-width: 72rem)');
