/** Matches a window in which panels are open at first. The request history has two columns from the same width on. */
export const wideWindow = matchMedia('(min-width: 72rem)');
