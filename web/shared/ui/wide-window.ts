/** Matches a window in which panels are initially open. The request history has two columns from the same width up. */
export const wideWindow = matchMedia('(min-width: 72rem)');
