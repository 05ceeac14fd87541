/** Matches windows in which panels start open and the request history has two columns. */
export const wideWindow = matchMedia('(min-width: 72rem)');
